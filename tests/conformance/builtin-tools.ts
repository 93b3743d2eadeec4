import { readdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { allowed } from "./allowed.ts";
import { type Call, type EngineDeps, said, type ToolResult } from "./engine.ts";
import { pause } from "./pause.ts";
import { ToolFailed } from "./run.ts";

type Builtin = (deps: EngineDeps, call: Call) => Promise<ToolResult>;

const word = (value: unknown): string => (typeof value === "string" ? value : "");
const pathOf = ({ session, input }: Call) => resolve(session.location.directory, word(input.filePath ?? input.path));

async function orFailed<T>(doing: Promise<T>): Promise<T> {
  return doing.catch((error: unknown) => {
    throw new ToolFailed({ type: "unknown", message: error instanceof Error ? error.message : String(error) });
  });
}

/** No shell runs: `sleep N` waits, `echo` echoes, `false` and `exit N` exit so. §4.6: tool shells are on the bus too. */
async function shell(deps: EngineDeps, call: Call): Promise<ToolResult> {
  const { session, run } = call;
  const command = word(call.input.command);
  const program = `${command.split(" ")[0]} *`;
  await allowed(deps, call, "shell", [command], [deps.options.exactSaves ? command : program]);
  const info = { id: deps.id("sh"), status: "running", command, cwd: session.location.directory };
  deps.log.emitBeside(session, "shell.created", { info: { ...info, metadata: { sessionID: session.id } } });
  const seconds = Number(/^sleep ([\d.]+)/.exec(command)?.[1] ?? 0);
  try {
    await pause(deps.clock, seconds * 1_000 + deps.options.stepMs, run.signal);
  } catch (error) {
    deps.log.emitBeside(session, "shell.exited", { id: info.id, status: "killed" });
    throw error;
  }
  const exit = command === "false" ? 1 : Number(/^exit (\d+)/.exec(command)?.[1] ?? 0);
  deps.log.emitBeside(session, "shell.exited", { id: info.id, exit, status: "exited" });
  return said(`${command.replace(/^echo /, "")}\n`, { exit, truncated: false });
}

/** §5.3: names of 2.x; files are real ones in the session's directory. */
export const builtins: Record<string, Builtin> = {
  shell,
  async read(deps, call) {
    await allowed(deps, call, "read", [pathOf(call)]);
    return said(await orFailed(readFile(pathOf(call), "utf8")));
  },
  async glob(_, { session }) {
    return said((await orFailed(readdir(session.location.directory))).join("\n"));
  },
  async write(deps, call) {
    await allowed(deps, call, "edit", [pathOf(call)]);
    await orFailed(writeFile(pathOf(call), word(call.input.content)));
    return said("written");
  },
  async edit(deps, call) {
    const { oldString, newString } = call.input;
    const before = await orFailed(readFile(pathOf(call), "utf8"));
    if (!before.includes(word(oldString))) throw new ToolFailed({ type: "unknown", message: "oldString not found" });
    await allowed(deps, call, "edit", [pathOf(call)]);
    await orFailed(writeFile(pathOf(call), before.replace(word(oldString), word(newString))));
    return said("edited");
  },
  async todowrite() {
    return said("2 todos");
  },
  async skill() {
    return said("loaded");
  },
};
