import { randomBytes } from "node:crypto";

type Brush = (text: string) => string;
export type Paint = { bold: Brush; dim: Brush; red: Brush; green: Brush; yellow: Brush; cyan: Brush };

/**
 * A colour is a word until it is printed: everything that could act on the terminal is taken out of what a command
 * prints, and only then are these words made to colours. Nobody outside this process can know the word.
 */
const secret = randomBytes(12).toString("hex");
const painted = new RegExp(`${secret}:(\\d+);`, "g");
const escapeSign = "\u001b";

export const finishPaint = (text: string): string => text.replace(painted, `${escapeSign}[$1m`);

const plain: Brush = (text) => text;
const sgr =
  (on: number, off: number): Brush =>
  (text) =>
    `${secret}:${on};${text}${secret}:${off};`;

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
