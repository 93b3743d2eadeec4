// Never ends and takes no hint; says that it lives by a file of its process id beside it.
const { writeFileSync } = require("node:fs");

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
writeFileSync(`${process.argv[1]}.pid`, String(process.pid));
setInterval(() => {}, 1_000);
