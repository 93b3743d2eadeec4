import { isSoundName } from "../../shared/sound-name.ts";
import type { ConfigStore } from "../config/store.ts";
import type { Delivery } from "../delivery/channel.ts";
import type { NotifyOutcome, NotifyRequest } from "../delivery/notify.ts";
import { toolDefinitions } from "./definitions.ts";
import { type Arguments, readArguments, textOf } from "./read-arguments.ts";
import type { Tool } from "./tool.ts";

export type NotifyUserDeps = {
  config: Pick<ConfigStore, "current" | "path">;
  /** Resolves when every channel's outcome is known, speech included. Never gated, never debounced. */
  notify(request: NotifyRequest): Promise<NotifyOutcome>;
};

export const notifyUser = ({ config, notify }: NotifyUserDeps): Tool => ({
  ...toolDefinitions.notifyUser,
  async run(sent, { sessionID }) {
    const args = readArguments(toolDefinitions.notifyUser, sent);
    if (!args.ok) return `[failed] nothing was sent: ${args.error}`;
    const named = textOf(args.value, "sound");
    if (named !== undefined && !isSoundName(named))
      return `[failed] nothing was sent: sound: expected a sound's name, such as "complete", never a path`;
    const { notifications } = config.current();
    // A person who wants none is not overruled by an argument.
    if (notifications.mode === "none") return `[skipped] notifications.mode is "none" in ${config.path}`;
    const mode = modeOf(args.value) ?? notifications.mode;
    const voice = textOf(args.value, "voice") ?? notifications.voice;
    const sound = named ?? notifications.sound;
    const request = { sessionID, mode, ...textsOf(args.value) };
    return outcomeText(
      await notify({
        ...request,
        ...(voice === undefined ? {} : { voice }),
        ...(sound === undefined ? {} : { sound }),
      }),
    );
  },
});

function modeOf(args: Arguments): NotifyRequest["mode"] | undefined {
  const mode = args.mode;
  return mode === "both" || mode === "banner" || mode === "voice" ? mode : undefined;
}

/** The product's name stands for a source nobody gave. */
function textsOf(args: Arguments): Pick<NotifyRequest, "title" | "message" | "spoken"> {
  const message = textOf(args, "message") ?? "";
  const [title, source] = [textOf(args, "title"), textOf(args, "source")];
  return { title: title ?? source ?? "opencode", message, spoken: `${source ?? title ?? "opencode"}: ${message}` };
}

function outcomeText(outcome: NotifyOutcome): string {
  if (outcome.kind === "unsupported") return `[unsupported] nothing here can notify (${outcome.platform})`;
  const taken = outcome.attempts.flatMap(({ channel, delivery }) =>
    delivery.ok ? [`${channel} ${takenWords(delivery)}`] : [],
  );
  const failed = outcome.attempts.flatMap(({ channel, delivery }) =>
    delivery.ok ? [] : [`${channel} (${failureWords(delivery)})`],
  );
  if (taken.length === 0) return `[failed] ${failed.length === 0 ? "no channel could be asked" : failed.join(", ")}`;
  return `[notified] ${taken.join(", ")}${failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`}`;
}

const takenWords = ({ certainty, outlet }: Extract<Delivery, { ok: true }>) => `${certainty} by ${outlet}`;

const failureWords = ({ outlet, reason, detail }: Extract<Delivery, { ok: false }>) =>
  `${outlet}: ${reason}${detail === undefined ? "" : `, ${detail}`}`;
