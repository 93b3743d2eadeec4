import { afterAll, beforeAll, expect, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { type IsolatedHome, isolatedHome } from "../rig/host/isolated-home.ts";
import { awaitLine, readJournal } from "../rig/host/journal.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { writeProject } from "../rig/host/project.ts";
import { startTui } from "../rig/host/start-tui.ts";
import { printedBytes, type Terminal } from "../rig/host/terminal.ts";
import { type ModelServer, startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";
import { inWords } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";
import { type Observer, observe } from "./v1/observer.ts";
import { reaches } from "./v1/shown.ts";

/** Server and terminal part in one process: the server is a thread of the terminal (opencode 1.18.33). */
needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
  "python3",
)("in a plain opencode 1.18", () => {
  let desktop: Desktop;
  let home: IsolatedHome;
  let model: ModelServer;
  let terminal: Terminal;
  let observer: Observer;

  beforeAll(async () => {
    [desktop, home, model] = [await startDesktop(), isolatedHome(), await startModel()];
    writeProject(home, {
      modelURL: model.baseURL,
      plugins: [packageRoot()],
      tuiPlugins: [packageRoot()],
      permission: { bash: "ask" },
    });
    terminal = await startTui(home, { env: { ...inEnglish, ...reaches(desktop) } });
    observer = await observe(home);
    await observer.knows(terminal.pid, { view: "home" });
  });
  afterAll(async () => {
    observer?.close();
    await terminal?.end();
    await model?.close();
    home?.remove();
    await desktop?.close();
  });

  test("a person types, looks on, leaves, is called back, and answers", async () => {
    const decision = (words: string) => awaitLine(home.beckonState, (line) => inWords(line) === words);
    terminal.focus();
    await observer.knows(terminal.pid, { focus: "focused" });
    terminal.write("[bash echo hi]");
    await printedBytes(terminal, "echo hi]");
    terminal.write("\r");
    await decision("pause deferred attended");
    expect(desktop.banners()).toEqual([]);

    terminal.blur();
    const { title } = await decision("pause delivered left");
    await desktop.settled();
    expect(desktop.banners().map((banner) => [banner.title, banner.closed])).toEqual([[title, undefined]]);

    terminal.focus();
    await decision("pause withdrawn seen");
    await printedBytes(terminal, "Allow once");
    terminal.write("\r");
    await decision("done suppressed attended");
    await desktop.settled();
    expect(desktop.banners()).toHaveLength(1);
    expect(readJournal(home.beckonState).map(inWords)).toEqual([
      "pause deferred attended",
      "pause delivered left",
      "pause withdrawn seen",
      "done suppressed attended",
    ]);
  });
});
