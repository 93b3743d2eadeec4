import { createRequire, syncBuiltinESMExports } from "node:module";
import process from "node:process";

// Loaded before the command: ends this process, as a power cut would, before the step on the disk of that number.
const steps = Number(process.env.DIE_AT_STEP);
let step = 0;

type Call = (...given: unknown[]) => unknown;
const promises: Record<string, Call> = createRequire(import.meta.url)("node:fs/promises");

function counted(call: Call): Call {
  return function (this: unknown, ...given) {
    step += 1;
    if (step === steps) process.kill(process.pid, "SIGKILL");
    return call.apply(this, given);
  };
}

function handleOf(opened: unknown): unknown {
  if (typeof opened !== "object" || opened === null) return opened;
  for (const name of ["writeFile", "sync", "chmod", "chown"]) {
    const call: unknown = Reflect.get(opened, name);
    if (typeof call === "function")
      Reflect.set(
        opened,
        name,
        counted((...given) => Reflect.apply(call, opened, given)),
      );
  }
  return opened;
}

for (const name of ["mkdir", "rename", "rm", "rmdir", "writeFile"]) {
  const call = promises[name];
  if (call !== undefined) promises[name] = counted(call);
}
const { open } = promises;
if (open !== undefined) {
  const openCounted = counted(open);
  promises.open = async (...given) => handleOf(await openCounted(...given));
}
syncBuiltinESMExports();
