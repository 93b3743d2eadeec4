// Prints three megabytes.
for (let line = 0; line < 3_000; line++) process.stdout.write(`${"x".repeat(999)}\n`);
