/** The texts of cases.md section 4 (O39 to O49), and a few more that broke somebody's notifier. */
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
