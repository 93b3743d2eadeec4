// Waits until it is told to end; says that it lives by a file of its process id beside it.
const { writeFileSync } = require("node:fs");

writeFileSync(`${process.argv[1]}.pid`, String(process.pid));
setInterval(() => {}, 1_000);
