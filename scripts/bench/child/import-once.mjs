import process from "node:process";

const url = process.argv[2];
const before = performance.now();
await import(url);
console.log(JSON.stringify(performance.now() - before));
process.exit(0);
