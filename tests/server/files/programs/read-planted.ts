import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLineFile } from "../../../../src/server/files/append-lines.ts";
import { openToRead, readFileText } from "../../../../src/server/files/read-file.ts";
import { startTogether } from "./start-together.ts";

// Plants every kind of file and says what comes of reading it, and of appending to what is none.
const [folder = ""] = process.argv.slice(2);
await startTogether();
mkdirSync(join(folder, "folder"), { recursive: true });
const at = (name: string) => join(folder, name);
writeFileSync(at("text"), "\uFEFFgr\u00fcn\n");
writeFileSync(at("latin1"), Buffer.from([0x61, 0x0a, 0x62, 0xfc]));
writeFileSync(at("big"), "x".repeat(2_000));
execFileSync("mkfifo", [at("pipe")]);
for (const device of ["zero", "random", "tty"]) symlinkSync(`/dev/${device}`, at(device));
symlinkSync("text", at("link"));
symlinkSync("loop", at("loop"));

const say = (words: string) => console.log(words.replaceAll(`${folder}/`, ""));
for (const name of ["text", "latin1", "big", "pipe", "zero", "random", "tty", "link", "loop", "folder", "gone"]) {
  const read = await readFileText(at(name), { maxBytes: 1_024 });
  say(read.ok ? `${name}: ${JSON.stringify(read.value)}` : read.error.message);
}
const refused = await readFileText(at("link"), { maxBytes: 1_024, links: "refuse" });
say(refused.ok ? "the link was followed" : refused.error.message);
const opened = await openToRead(at("text"));
if (opened.ok) await opened.value.file.close();
for (const name of ["pipe", "zero"]) {
  const file = createLineFile({ path: at(name), rotateBytes: 1_000, onFailure: (why) => say(`told: ${why}`) });
  file.appendNow("x");
  file.append("x");
  await file.flush();
}
