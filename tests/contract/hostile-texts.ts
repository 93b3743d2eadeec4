/** Texts that broke somebody's notifier, in public bug reports. */
export const hostileTexts = {
  "quotes (O39)": { title: 'Fix "login" page', body: `it's 5" wide` },
  "shell expansion (O40)": {
    title: "Run `id` and $(touch pwned) $HOME",
    body: "; touch pwned; `touch pwned` && $(touch pwned)",
  },
  "PowerShell and XML (O41)": { title: `a' + $(calc) + "<b>&amp;]]>`, body: `'@ ; New-Item pwned ; @' <!-- & --> ]]>` },
  "options (O42)": { title: "--help", body: "-v is broken" },
  "short options (O42)": { title: "-h", body: "-f/etc/passwd" },
  "markup (O43)": { title: "R&D", body: 'a && b, Run <b>rm -rf</b> if a < b && c > "d" &amp; &lt;i&gt;' },
  "Markdown (O47)": { title: "**Pick** one", body: "[docs](https://ex.org/a?b=c) or `npm i`" },
  "ConEmu command (O48)": { title: "4;1;50 percent done", body: "9;9;/etc" },
  "escape codes (O49)": { title: "a\u0007b\u001b]0;evil\u001b\\c\u009cd;e\nf", body: "x\u001b[2Jy\u009b31mz\u0000" },
  "a path to include": { title: "@/etc/passwd", body: 'file:///etc/passwd\n{"a":1}\n[1]' },
  "property lists": { title: "(a, b)", body: "{ a = b; }" },
  "other scripts": { title: "修复登录 👩‍👩‍👧‍👦 é", body: "שלום 🏳️‍🌈 ﷽" },
  "half a surrogate": { title: "a\ud83d", body: "\ude00b" },
  "a format": { title: "%s %n %x", body: "100% {title} \\n \\x41" },
} as const satisfies Record<string, { title: string; body: string }>;

/** What a relay, daemon, program, file or session may say to make a terminal do something. Each `EVIL` is a plain word. */
export const hostileText = [
  "EVIL\u001b]52;c;RVZJTEVWSUw=\u0007",
  "\u001b]8;;http://evil.example\u001b\\EVIL\u001b]8;;\u001b\\",
  "\u001b[31m\u001b[2J\u001b]0;owned\u0007\u009d52;c;QUJD\u009c\u009b31m\u001bP$q\u001b\\",
  "\u202egnp.exe\u2066x\u2069\u200e\u061c",
  "E\u200bV\u2060I\ufeffL\u00ad\u{e0041}\u{e0042}\u{e007f}\ufff9\u3164",
  "\ud83d \u0000\u0008\u007f\u0085 EVIL END",
].join("");

/** Nothing in it acts on a terminal, turns the direction or is not seen; line feeds and tabs are layout. */
export const isHarmless = (text: string): boolean =>
  !/(?![\n\t])\p{Cc}|\p{Cs}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u.test(
    text,
  );
