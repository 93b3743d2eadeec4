// Writes down how it was called, one JSON line a call, and prints what the file `<its name>.answer` beside it holds.
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");

const folder = dirname(process.argv[1]);
const program = basename(process.argv[1]);
const input = readFileSync(0, "utf8") || undefined;
const call = { program, args: process.argv.slice(2), input, note: process.env.BECKON_NOTE };
appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(call)}\n`);
const answer = join(folder, `${program}.answer`);
if (existsSync(answer)) process.stdout.write(readFileSync(answer, "utf8"));
