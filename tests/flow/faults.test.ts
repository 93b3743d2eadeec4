import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { tone } from "../rig/sound/tone.ts";
import type { JournalLine } from "../scenarios/host-under-test.ts";
import { inWords } from "../scenarios/scenario.ts";
import { childrenOf } from "../server/delivery/processes.ts";
import { type Machine, startMachine } from "./faults/machine.ts";
import { lastDecisions } from "./faults/status.ts";
import { attachTerminal } from "./relay/stand-in-terminal.ts";
import { seenUnder } from "./v1/shown.ts";
import { work } from "./v1/work.ts";

const whole = (line: JournalLine): string => [inWords(line), ...line.channels].join(" ");
const bannersOf = (title: string | undefined, { desktop }: Machine) =>
  desktop.banners().filter((banner) => banner.title === title);

type Fault = {
  title: string;
  alerts?: object;
  programs?: Parameters<Machine["install"]>[0];
  breaks?(machine: Machine): Promise<void> | void;
  /** While the alert is on its way. */
  during?(machine: Machine, title: string): Promise<void>;
  mends?(machine: Machine): Promise<void> | void;
  /** The journal's line, with the channels that took it. */
  line: string;
  /** What beckon.log says of it, once. */
  says: string[];
  /** With a terminal attached, that raises it. */
  thenTheTerminal?: true;
  check?(machine: Machine, line: JournalLine): Promise<void> | void;
};

/** In this order: an outlet that hung rests for a minute, so each hangs only once, at the end. */
const faults: Fault[] = [
  {
    title: "nobody shows notifications, and no program is installed",
    breaks: ({ desktop }) => desktop.daemon.end(),
    mends: ({ desktop }) => desktop.daemon.restart(),
    line: "done failed no-channel",
    says: ["banner: dbus unavailable", "banner: notify-send unavailable"],
    thenTheTerminal: true,
  },
  {
    title: "nobody shows notifications, so that the real notify-send ends with 1",
    programs: { "notify-send": "real" },
    breaks: ({ desktop }) => desktop.daemon.end(),
    mends: ({ desktop }) => desktop.daemon.restart(),
    line: "done failed channel-error",
    says: ["banner: notify-send refused (exit 1"],
    thenTheTerminal: true,
  },
  {
    title: "the bus is gone: the next outlet, notify-send, takes it",
    programs: { "notify-send": "record" },
    breaks: ({ desktop }) => desktop.bus.end(),
    mends: ({ desktop }) => desktop.bus.restart(),
    line: "done delivered unattended banner",
    says: [],
    check: ({ calls }) => expect(calls().at(-1)?.args).toContain("--urgency=normal"),
  },
  {
    title: "the bus dies while the daemon has not answered yet",
    async breaks(machine) {
      await machine.work(); // what the daemon can do is asked only once
      machine.desktop.daemon.signal("SIGSTOP");
    },
    async during(machine, title) {
      await machine.desktop.until("it to be asked for", () => bannersOf(title, machine)[0]);
      await machine.desktop.bus.end();
    },
    mends: ({ desktop }) => desktop.bus.restart(),
    line: "done failed channel-error",
    says: ["banner: dbus lost"],
    thenTheTerminal: true,
  },
  {
    title: "no speaking program is installed: the banner comes all the same",
    alerts: { done: { mode: "both" } },
    line: "done delivered unattended banner",
    says: ["voice: spd-say unavailable", "voice: espeak-ng unavailable", "voice: espeak unavailable"],
  },
  {
    title: "a speaking program hangs, and is killed: the next one speaks",
    alerts: { done: { mode: "both" } },
    programs: { "spd-say": "hang", "espeak-ng": "record" },
    line: "done delivered unattended banner voice",
    says: ["voice: spd-say timeout (killed after"],
    check: ({ calls }) => expect(calls().at(-1)?.program).toBe("espeak-ng"),
  },
  {
    title: "a speaking program ends with 1: the next one speaks",
    alerts: { done: { mode: "both" } },
    programs: { "espeak-ng": "exit-1", espeak: "record" },
    line: "done delivered unattended banner voice",
    says: ["voice: espeak-ng refused (exit 1"],
    check: ({ calls }) => expect(calls().at(-1)?.program).toBe("espeak"),
  },
  {
    title: "the disk is full where speaking and playing programs keep their files: they are heard",
    alerts: { done: { mode: "both" }, sound: "tone.wav" },
    programs: { "espeak-ng": "real", paplay: "real" },
    breaks: ({ homeDisk }) => homeDisk.fill(),
    mends: ({ homeDisk }) => homeDisk.free(),
    line: "done delivered unattended banner voice sound",
    says: [],
    check: ({ card }) => waitUntil("speech and tone", () => card.loudest() > 0.1),
  },
  {
    title: "notify-send hangs, and is killed",
    programs: { "notify-send": "hang" },
    breaks: ({ desktop }) => desktop.daemon.end(),
    mends: ({ desktop }) => desktop.daemon.restart(),
    line: "done failed channel-error",
    says: ["banner: notify-send timeout"],
    thenTheTerminal: true,
  },
  {
    title: "the notification daemon hangs",
    programs: { "notify-send": "real" },
    breaks: ({ desktop }) => desktop.daemon.signal("SIGSTOP"),
    mends: ({ desktop }) => desktop.daemon.signal("SIGCONT"),
    line: "done failed channel-error",
    says: ["banner: dbus timeout"],
    thenTheTerminal: true,
    async check(machine, { title }) {
      machine.desktop.daemon.signal("SIGCONT");
      await machine.desktop.until("it to be shown late", () => bannersOf(title, machine).find(({ id }) => id));
      await machine.desktop.run("notify-send", "--", "marker", "");
      expect(bannersOf(title, machine)).toHaveLength(1); // notify-send was not asked to show it a second time
      expect(whole(await machine.work())).toBe("done delivered unattended banner"); // it answers again
    },
  },
];

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "notify-send",
  "espeak-ng",
  "pulseaudio",
  "pactl",
)("the real opencode goes on, and the journal says what became of the alert, when", () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await startMachine();
    writeFileSync(join(machine.host.home.root, "tone.wav"), tone(0.5));
  });
  afterAll(() => machine?.close());

  /** It answers, nothing of ours is on its output, and no process of ours is left, dead or alive. */
  async function unharmed({ host }: Machine): Promise<void> {
    await host.server.client.sessions();
    const { child } = host.server;
    expect({ stderr: child.stderr(), lines: child.stdout().trim().split("\n").length }).toEqual({
      stderr: "",
      lines: 2,
    });
    await waitUntil(
      () => `no child of opencode to be left: ${JSON.stringify(childrenOf(child.pid))}`,
      () => childrenOf(child.pid).length === 0,
    );
  }

  /** Sounds are named by their whole path. */
  function configure({ alerts = {} }: Fault): void {
    const sound = "sound" in alerts ? { sound: join(machine.host.home.root, String(alerts.sound)) } : {};
    machine.configure({ ...alerts, ...sound });
  }

  test("the daemon is restarted and has forgotten its numbers: the next banner is a new one, and is taken back", async () => {
    const { desktop, host } = machine;
    machine.install({});
    const session = await host.newSession();
    await work(host, session);
    desktop.daemon.signal("SIGKILL");
    await desktop.daemon.end();
    await desktop.daemon.restart();
    await work(host, session);
    await work(host, session);
    await desktop.settled();
    const lines = (await host.decisions()).filter(({ sessionID }) => sessionID === session);
    expect(lines.map(whole)).toEqual([
      "done delivered unattended banner", // nothing was there to be taken back afterwards
      "done delivered unattended banner",
      "done withdrawn resumed banner",
      "done delivered unattended banner",
    ]);
    const [, ...since] = seenUnder(desktop, [host.titleOf(session)]);
    expect(since.map(({ end }) => end)).toEqual(["taken back", "up"]);
    expect(bannersOf(host.titleOf(session), machine).map(({ replaces }) => replaces)).toEqual([0, 0, 0]);
    await unharmed(machine);
  });

  test("the disk of the journal is full: the alert comes, status knows it, and the journal goes on when there is room", async () => {
    const { desktop, host, stateDisk } = machine;
    const session = await host.newSession();
    stateDisk.fill();
    await host.prompt(session, "[bash echo nobody writes this down]");
    await host.ended(session);
    await desktop.until("the banner", () => bannersOf(host.titleOf(session), machine)[0]);
    await waitUntil("the decision", async () =>
      (await lastDecisions(host.home)).some((line) => line.sessionID === session),
    );
    expect((await host.decisions()).filter(({ sessionID }) => sessionID === session)).toEqual([]);
    stateDisk.free();
    expect(whole(await machine.work())).toBe("done delivered unattended banner");
    await unharmed(machine);
  });

  test("the service a message is pushed to is down: the banner came, and the message has a line of its own", async () => {
    const push = [{ type: "webhook", url: "http://127.0.0.1:9/secret", events: ["done"], afterSeconds: 0 }];
    machine.configure({ push });
    const { sessionID } = await machine.work();
    await machine.host.decided((line) => line.sessionID === sessionID && line.outcome === "failed");
    const lines = (await machine.host.decisions()).filter((line) => line.sessionID === sessionID);
    expect(lines.map(whole).toSorted()).toEqual(["done delivered unattended banner", "done failed channel-error"]);
    expect(machine.logged("push: webhook lost (no connection")).toHaveLength(1);
    expect(machine.logged("secret")).toEqual([]);
    await unharmed(machine);
  });

  test.each(faults)("$title", async (fault) => {
    configure(fault);
    machine.install(fault.programs ?? {});
    onTestFinished(async () => fault.mends?.(machine));
    await fault.breaks?.(machine);
    const session = await machine.host.newSession();
    const [line] = await Promise.all([machine.work(session), fault.during?.(machine, machine.host.titleOf(session))]);
    expect(whole(line)).toBe(fault.line);
    if (fault.thenTheTerminal) {
      const terminal = await attachTerminal(machine.host.home);
      const [raised, next] = await Promise.all([terminal.raises(), machine.work()]);
      expect(whole(next)).toBe("done delivered unattended terminal");
      expect(raised).toMatchObject({ title: next.title });
      await terminal.leaves();
    }
    await fault.check?.(machine, line);
    expect(fault.says.map((text) => machine.logged(text).length)).toEqual(fault.says.map(() => 1));
    await unharmed(machine);
  });

  test("it is to end: it does", async () => {
    const { signal } = await machine.host.server.child.end();
    expect(signal).not.toBe("SIGKILL");
  });
});
