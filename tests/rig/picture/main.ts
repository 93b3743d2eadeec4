import { writeFileSync } from "node:fs";
import { picture, playDemo } from "./play.ts";

/** Plays the real demo and draws what it printed. tests/flow/demo.test.ts compares the text with a run of its own. */
export async function main(): Promise<void> {
  const { svg, remove } = await playDemo();
  remove();
  writeFileSync(picture, svg);
  console.log("docs/demo.svg written");
}
