import { basename } from "node:path";
import { createAlerter } from "../../../src/server/delivery/alerter.ts";
import type { Outlet } from "../../../src/server/delivery/channel.ts";
import type { Environment } from "../../../src/server/delivery/find-program.ts";
import { createOsascript } from "../../../src/server/delivery/osascript.ts";
import { type RunProgram, runProgram } from "../../../src/server/delivery/run-program.ts";
import { createSpeaker } from "../../../src/server/delivery/speaker.ts";
import { createTerminalNotifier } from "../../../src/server/delivery/terminal-notifier.ts";
import { say } from "../../../src/server/delivery/voices.ts";
import { createWindowsToast } from "../../../src/server/delivery/windows-toast.ts";
import { windowsVoice } from "../../../src/server/delivery/windows-voice.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { type Behaviour, type Call, createProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { waitFor } from "../../rig/host/wait-for.ts";

// Programs of other systems, as real processes under stand-ins of the same name. What the programs themselves make
// of it can only be seen on those systems.

type StandIn = {
  program: string;
  make(parts: { run: RunProgram; env: Environment }): Outlet;
  /** The texts of one call, or undefined when it was not about a note. */
  texts(call: Call): readonly string[] | undefined;
  says: "title and body" | "spoken";
  takesBack?: "also the next one";
  answer?: string;
  hangs?: false;
};

/** A title is one line; what follows is the body. */
const inOne = (message: string): string[] => {
  const [title = "", ...body] = message.split("\n");
  return [title, body.join("\n")];
};

/** What PowerShell was given as data. */
function dataOf(args: readonly string[]): Record<string, string> {
  const script = Buffer.from(args.at(-1) ?? "", "base64").toString("utf16le");
  return JSON.parse(Buffer.from(/FromBase64String\('([^']*)'/.exec(script)?.[1] ?? "", "base64").toString("utf8"));
}

/** None for a removal. */
const textsOf = ({ title, body }: Record<string, string>): string[] | undefined =>
  title === undefined ? undefined : [title, body ?? ""];

const standIns: StandIn[] = [
  {
    program: "osascript",
    make: createOsascript,
    texts: ({ note = "{}" }) => textsOf(JSON.parse(note)),
    says: "title and body",
  },
  {
    program: "terminal-notifier",
    make: createTerminalNotifier,
    texts: ({ input }) => (input === undefined ? undefined : inOne(input)),
    says: "title and body",
    takesBack: "also the next one",
    answer: "terminal-notifier 3.0.0.\n",
  },
  {
    program: "alerter",
    make: ({ env }) => createAlerter({ env, clock: patientClock }),
    texts: ({ input }) => (input === undefined ? undefined : inOne(input)),
    says: "title and body",
    hangs: false, // that is how it waits for the person
  },
  {
    program: "powershell.exe",
    make: (parts) => createWindowsToast({ ...parts, platform: "wsl" }),
    texts: ({ args }) => textsOf(dataOf(args)),
    says: "title and body",
    takesBack: "also the next one",
  },
  {
    program: "powershell.exe",
    make: (parts) => createSpeaker(windowsVoice("wsl", parts.env), parts),
    texts: ({ args }) => [dataOf(args).text ?? ""],
    says: "spoken",
  },
  { program: "say", make: (parts) => createSpeaker(say, parts), texts: ({ input = "" }) => [input], says: "spoken" },
];

for (const { program, make, texts, says, takesBack, answer, hangs } of standIns) {
  const arrange = async (behaviour: Behaviour | undefined) => {
    const folder = createProgramFolder(behaviour ? { [program]: behaviour } : {});
    if (answer) folder.answers(program, answer);
    // Macs have theirs at a fixed place.
    const run: RunProgram = (what) => runProgram({ ...what, program: basename(what.program) });
    const next = () => make({ run, env: folder.env });
    return { folder, outlet: next(), next, close: async () => folder.remove() };
  };
  outletContract({
    name: `${program} for ${says}`,
    ...(takesBack === undefined ? {} : { takesBack }),
    texts: ({ title, body, spoken }) => (says === "spoken" ? [spoken] : [title, body]),
    async works() {
      const { folder, outlet, next, close } = await arrange("record");
      const received = () => folder.calls().flatMap((call) => (texts(call) ? [texts(call) ?? []] : []));
      return {
        outlet,
        next,
        close,
        received: (count) => waitFor(`${count} calls`, () => (received().length >= count ? received() : undefined)),
      };
    },
    fails: {
      unavailable: () => arrange(undefined),
      ...(answer ? {} : { refused: () => arrange("exit-1") }),
      ...(hangs === false || answer ? {} : { timeout: () => arrange("hang") }),
    },
  });
}
