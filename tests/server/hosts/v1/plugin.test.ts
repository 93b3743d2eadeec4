import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { server, type V1Hooks } from "../../../../src/server/hosts/v1/plugin.ts";
import { version } from "../../../../src/server/version.ts";
import { anyJson } from "../../../fakes/foreign.ts";
import { settled } from "../../../fakes/settled.ts";
import { waitUntil } from "../../../rig/host/wait-for.ts";

const { env, argv } = process;
let folder = "";
let open: V1Hooks[] = [];

/** A machine of its own, without a desktop and without any program that could notify. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-v1-"));
  process.env = {
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    BECKON_STATE_DIR: folder,
    BECKON_RUNTIME_DIR: folder,
    PATH: "",
  };
  process.argv = ["node", "/opencode", "serve"];
  open = [];
});
afterEach(async () => {
  for (const hooks of open) await hooks.dispose?.();
  process.env = env;
  process.argv = argv;
  // A relay that had just begun may still announce itself.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function load(input: unknown = { directory: "/project" }): V1Hooks {
  const hooks = server(input);
  open.push(hooks);
  return hooks;
}

/** Outcome and reason of each line of the journal. */
async function journal(): Promise<string[]> {
  const text = await readFile(join(folder, "journal.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ alert, outcome, reason }) => `${alert} ${outcome} ${reason}`);
}

const sessionID = "ses_S";
let told = 0;

/** An event as the host tells it to every instance, one after the other. */
function say(instances: V1Hooks[], type: string, properties: object): void {
  told += 1;
  const event = { id: `evt_${told}`, type, properties: { sessionID, ...properties } };
  for (const { event: hear } of instances) hear?.({ event });
}

/** One round of real work, up to its idle. */
async function play(...instances: V1Hooks[]): Promise<void> {
  const prompt = { message: { id: "msg_1" }, parts: [{ type: "text" }] };
  say(instances, "session.created", { info: { id: sessionID, title: "Fix login" } });
  for (const hooks of instances) await hooks["chat.message"]?.({ sessionID }, prompt);
  say(instances, "session.status", { status: { type: "busy" } });
  say(instances, "message.part.updated", { part: { sessionID, type: "step-start" } });
  for (const hooks of instances) await hooks["tool.execute.after"]?.({ sessionID, callID: "c", tool: "bash" }, {});
  say(instances, "session.status", { status: { type: "idle" } });
  say(instances, "session.idle", {});
}

describe("dispose", () => {
  test("writes why nothing was heard before it is done", async () => {
    const hooks = load();
    await play(hooks);
    await hooks.dispose?.();
    expect(await journal()).toEqual(["done silent shutdown"]);
  });

  test("after one job says that nothing here could tell it", async () => {
    process.argv = ["node", "/opencode", "run", "fix the login"];
    const hooks = load();
    await play(hooks);
    await hooks.dispose?.();
    expect(await journal()).toEqual(["done failed no-channel"]);
  });

  test("twice is once, and nothing is heard afterwards", async () => {
    const hooks = load();
    await play(hooks);
    await Promise.all([hooks.dispose?.(), hooks.dispose?.()]);
    await play(hooks);
    await hooks.dispose?.();
    expect(await journal()).toEqual(["done silent shutdown"]);
  });
});

describe("beckon.log", () => {
  const details = async () => {
    const text = await readFile(join(folder, "beckon.log"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => / detail (.*)/.exec(line)?.[1] ?? []);
  };

  test("with BECKON_DEBUG=1 says what was heard, looked up and decided, and nothing anybody wrote", async () => {
    process.env.BECKON_DEBUG = "1";
    const hooks = load();
    await play(hooks);
    await waitUntil("a look-up", async () => (await details()).some((line) => line.startsWith("looked up")));
    await hooks.dispose?.();
    const lines = await details();
    expect(lines[0]).toBe(
      `started opencode-beckon ${version} on opencode 1.18, configuration ${join(folder, "opencode-beckon/config.json")}`,
    );
    expect(lines).toContain("heard ses_S prompted msg_1 typed");
    expect(lines).toContain("looked up ses_S's messages: no answer");
    expect(lines.at(-1)).toMatch(/^decided ses_S done /);
    expect(lines.join("\n")).not.toContain("login");
  });

  test("without it has no such line", async () => {
    const hooks = load();
    await play(hooks);
    await hooks.dispose?.();
    expect(await details()).toEqual([]);
  });
});

test("listed twice in the configuration it acts once", async () => {
  const twice = [load(), load()];
  await play(...twice);
  for (const hooks of twice) await hooks.dispose?.();
  expect(await journal()).toEqual(["done silent shutdown"]);
});

test("whatever the host hands over, no hook throws and no promise is broken", async () => {
  const hooks = load();
  await fc.assert(
    fc.asyncProperty(anyJson, anyJson, async (input, output) => {
      hooks.event?.({ event: input });
      await hooks["chat.message"]?.(input, output);
      await hooks["tool.execute.after"]?.(input, output);
      await hooks["experimental.chat.system.transform"]?.(input, output);
    }),
  );
  hooks.event?.(Object.create(null));
});

test.each([undefined, null, "input", 7, {}])("with %j for an input it is still an object of hooks", (input) => {
  expect(typeof load(input)).toBe("object");
});

test("a system prompt gets one section more, and only where there is one", async () => {
  const hooks = load();
  const output = { system: ["You are helpful."] };
  await hooks["experimental.chat.system.transform"]?.({}, output);
  expect(output.system).toHaveLength(2);
  expect(output.system[1]).toContain("beckon_notify_user");
});

test("the tools are the host's to call, and know their session", async () => {
  const { tool } = load();
  expect(Object.keys(tool ?? {}).toSorted()).toEqual([
    "beckon_config_get",
    "beckon_config_set",
    "beckon_notify_user",
    "beckon_status",
  ]);
  expect(await tool?.beckon_status?.execute({}, { sessionID: "ses_S" })).toContain("opencode 1.18");
});

test("nothing is written to the host's terminal", async () => {
  const written: unknown[] = [];
  const { stdout, stderr } = process;
  const [out, err] = [stdout.write, stderr.write];
  stdout.write = stderr.write = (chunk: unknown) => written.push(chunk) > 0;
  try {
    const hooks = load();
    await play(hooks);
    await settled();
    await hooks.dispose?.();
  } finally {
    stdout.write = out;
    stderr.write = err;
  }
  expect(written).toEqual([]);
});
