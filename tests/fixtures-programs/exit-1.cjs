// Complains and fails, as a program does that finds no server.
process.stderr.write("cannot reach the server\nsecond line\n");
process.exitCode = 1;
