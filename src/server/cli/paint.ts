type Brush = (text: string) => string;
export type Paint = { bold: Brush; dim: Brush; red: Brush; green: Brush; yellow: Brush; cyan: Brush };

const plain: Brush = (text) => text;
const sgr =
  (on: number, off: number): Brush =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;

const colours: Paint = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};
const noColours: Paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };

export const createPaint = (colour: boolean): Paint => (colour ? colours : noColours);
