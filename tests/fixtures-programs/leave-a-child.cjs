// Ends at once and leaves a process behind that holds its pipes, as a program does that starts a server.
const { spawn } = require("node:child_process");

const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
  stdio: ["ignore", 1, 2],
  detached: true,
});
child.unref();
process.stdout.write(`${child.pid}\n`);
