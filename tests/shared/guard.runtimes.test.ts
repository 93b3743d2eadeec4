import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runtimes } from "../package/runtimes.ts";
import { bundle } from "../rig/bundle.ts";
import { startChild } from "../rig/host/child.ts";

let bundled: string;
beforeAll(async () => {
  bundled = await bundle(new URL("./programs/bugs-everywhere.ts", import.meta.url));
});

test.each(runtimes())("in $name a bug on any way into our code ends nothing and prints nothing", async (runtime) => {
  const { program, args, env } = runtime;
  const child = startChild(program, [...args, bundled], {
    cwd: dirname(bundled),
    env: { PATH: `${process.env.PATH}`, ...env },
  });
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stderr()).toBe("");
  const ways = ["async listener", "child", "immediate", "promise", "signal", "socket", "timer"];
  expect(child.stdout()).toBe(`${JSON.stringify(ways)}\nthe next deed has its turn\n`);
});
