import process from "node:process";
import { fakeInput } from "./host.mjs";

const [url, call] = process.argv.slice(2);
const input = fakeInput();
const before = performance.now();
const module = await import(url);
if (call !== undefined) await module.default[call](input);
console.log(JSON.stringify(performance.now() - before));
process.exit(0);
