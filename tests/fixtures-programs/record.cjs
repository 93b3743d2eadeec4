// Writes down how it was called, one JSON line a call, and prints what the file `<its name>.answer` beside it holds.
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");

const folder = dirname(process.argv[1]);
const program = basename(process.argv[1]);
const input = process.argv.includes("--stdin") || process.argv.includes("-") ? readFileSync(0, "utf8") : undefined;
appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify({ program, args: process.argv.slice(2), input })}\n`);
const answer = join(folder, `${program}.answer`);
if (existsSync(answer)) process.stdout.write(readFileSync(answer, "utf8"));
