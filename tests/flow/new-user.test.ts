import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Packed, pack } from "../package/packed.ts";
import { startServer } from "../rig/host/start-server.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import { needs } from "../rig/needs.ts";
import { snapshotOf } from "../server/cli/command-bench.ts";
import { newcomer } from "./new-user/newcomer.ts";

/** What a person types in an empty folder, and what says that it worked. */
const ways: [typed: string, line: (packed: Packed) => string, says: string][] = [
  [
    "opencode plugin file:/abs/opencode-beckon.tgz",
    ({ tarball }) => `opencode plugin file:${tarball}`,
    "Detected server + tui targets",
  ],
  ["opencode plugin /abs/dir", ({ installed }) => `opencode plugin ${installed}`, "Detected server + tui targets"],
  ["beckon install", () => "beckon install", "Done. Restart opencode, then see whether all is well: beckon doctor"],
];

needs("python3")("somebody new, in an empty folder", () => {
  let packed: Packed;
  beforeAll(async () => {
    packed = await pack();
  });
  afterAll(() => packed?.remove());

  test.each(ways)(
    "who types %s has both parts in the real opencode and a content doctor, and gets rid of it again",
    async (_typed, line, says) => {
      const { home, paste, doctor, troubles, sees } = newcomer(packed);
      onTestFinished(() => home.remove());
      const before = snapshotOf(home.globalConfig);
      const notLoaded = expect.objectContaining({ level: "broken", symptom: "opencode does not load beckon" });
      expect(await troubles()).toContainEqual(notLoaded);

      const installed = await paste(line(packed));
      expect(installed.stdout).toContain(says);
      expect(installed.code).toBe(0);

      const server = await startServer(home);
      onTestFinished(() => server.close());
      await sees("beckon 0.");
      const terminal = await attachTui(home, server.url);
      onTestFinished(() => terminal.end().then(() => undefined));
      await sees("unknown, shows the start screen");
      const running = expect.stringMatching(/runs beckon \d+\.\d+\.\d+; terminals connected: 1$/);
      expect(await doctor()).toContainEqual({ check: "running", level: "fine", symptom: running });
      expect((await troubles()).filter(({ level }) => level === "broken")).toEqual([]);

      expect(await paste("beckon uninstall")).toMatchObject({ code: 0, stderr: "" });
      expect(await troubles()).toContainEqual(notLoaded);
      for (const hostsOwn of [".gitignore", "opencode.jsonc"])
        rmSync(join(home.globalConfig, hostsOwn), { force: true });
      expect(snapshotOf(home.globalConfig)).toEqual(before);
    },
    300_000,
  );
});
