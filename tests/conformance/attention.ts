/** What the terminal knows of its own focus (§6.3). */
export type KnownFocus = boolean | null;

export type AttentionDeps = {
  /** §6.4: `attention.enabled` in cli.json; off by default. */
  enabled: boolean;
  focus(): KnownFocus;
  isDestroyed(): boolean;
  trigger(message: string, title?: string): boolean;
};

type Skip = "attention_disabled" | "empty_message" | "blurred" | "focused" | "focus_unknown" | "renderer_destroyed";
type Result = { ok: boolean; notification: boolean; sound: boolean; skipped?: Skip };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const whenOf = (value: unknown, fallback: string): string =>
  isRecord(value) && typeof value.when === "string" ? value.when : fallback;

function skipped(when: string, focus: KnownFocus): Skip | undefined {
  if (when === "always") return undefined;
  if (focus === null) return "focus_unknown";
  if (when === "blurred") return focus ? "focused" : undefined;
  return focus ? undefined : "blurred";
}

/** §6.4 */
export function createAttention({ enabled, focus, isDestroyed, trigger }: AttentionDeps) {
  return {
    async notify(input: unknown): Promise<Result> {
      const nothing = (skip: Skip): Result => ({ ok: false, notification: false, sound: false, skipped: skip });
      if (!enabled) return nothing("attention_disabled");
      if (isDestroyed()) return nothing("renderer_destroyed");
      if (!isRecord(input) || typeof input.message !== "string" || input.message === "")
        return nothing("empty_message");
      const title = typeof input.title === "string" ? input.title.slice(0, 80) : undefined;
      const skip = input.notification === false ? undefined : skipped(whenOf(input.notification, "blurred"), focus());
      const wanted = input.notification !== false && skip === undefined;
      const notification = wanted && trigger(input.message.slice(0, 240), title);
      const sound = input.sound !== undefined && input.sound !== false;
      return { ok: notification || sound, notification, sound, ...(skip === undefined ? {} : { skipped: skip }) };
    },
  };
}
