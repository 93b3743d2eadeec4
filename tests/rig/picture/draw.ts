/** A terminal's text as an SVG: what the README shows. Text stays text, so that it can be searched and compared. */
const charWidth = 7.83;
const lineHeight = 18;
const margin = 18;
const bar = 34;

type Style = { bold: boolean; dim: boolean; colour: string | undefined };
type Span = { text: string; style: Style };

const colours: Record<number, string> = { 31: "red", 32: "green", 33: "yellow", 36: "cyan" };
const plain: Style = { bold: false, dim: false, colour: undefined };
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal's colours are made of.
const sgr = /\u001b\[(\d+)m/g;

function after(style: Style, code: number): Style {
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  return { ...style, colour: colours[code] };
}

function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let style = plain;
  let from = 0;
  for (const match of line.matchAll(sgr)) {
    spans.push({ text: line.slice(from, match.index), style });
    style = after(style, Number(match[1]));
    from = match.index + match[0].length;
  }
  return [...spans, { text: line.slice(from), style }].filter(({ text }) => text !== "");
}

const asXML = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function draw({ text, style }: Span): string {
  const classes = [style.bold ? "b" : "", style.dim ? "d" : "", style.colour ?? ""].filter(Boolean).join(" ");
  return classes === "" ? asXML(text) : `<tspan class="${classes}">${asXML(text)}</tspan>`;
}

export function drawTerminal(output: string, title: string): string {
  const lines = output.replace(/\n+$/, "").split("\n");
  const widest = Math.max(...lines.map((line) => line.replace(sgr, "").length));
  const width = Math.ceil(widest * charWidth + margin * 2);
  const height = bar + lines.length * lineHeight + margin;
  const rows = lines.map(
    (line, row) =>
      `<text x="${margin}" y="${bar + (row + 1) * lineHeight}" xml:space="preserve">${spansOf(line).map(draw).join("")}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${asXML(title)}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9; }
.b { font-weight: 700; fill: #eceff4; } .d { fill: #8b93a5; }
.red { fill: #e06c75; } .green { fill: #98c379; } .yellow { fill: #e5c07b; } .cyan { fill: #56b6c2; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#20242c"/>
<circle cx="20" cy="17" r="5" fill="#e06c75"/><circle cx="38" cy="17" r="5" fill="#e5c07b"/><circle cx="56" cy="17" r="5" fill="#98c379"/>
<text x="78" y="21" class="d">${asXML(title)}</text>
${rows.join("\n")}
</svg>
`;
}

/** What a person reads in it, line by line. */
export const textLayer = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map((match) =>
    (match[1] ?? "")
      .replace(/<[^>]*>/g, "")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&")
      .trimEnd(),
  );
