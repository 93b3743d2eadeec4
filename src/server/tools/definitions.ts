/** JSON Schema of one argument; the part of it we use. */
export type Argument = {
  type: "string" | "object";
  description: string;
  enum?: readonly string[];
};

export type ToolDefinition = {
  name: ToolName;
  /** For the model: when to call it, and what comes back. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: {
    type: "object";
    properties: Readonly<Record<string, Argument>>;
    required: readonly string[];
    additionalProperties: false;
  };
};

export type ToolName = "beckon_notify_user" | "beckon_config_get" | "beckon_config_set" | "beckon_status";

const text = (description: string): Argument => ({ type: "string", description });
const choice = (words: readonly string[], description: string): Argument => ({
  type: "string",
  enum: words,
  description,
});
const fields = (description: string): Argument => ({ type: "object", description });

const define = (
  name: ToolName,
  description: string,
  properties: Record<string, Argument> = {},
  required: string[] = [],
): ToolDefinition => ({
  name,
  description,
  parameters: { type: "object", properties, required, additionalProperties: false },
});

/** Every tool the model sees: the only place that names one. */
export const toolDefinitions = {
  notifyUser: define(
    "beckon_notify_user",
    "Call the person at the computer by a desktop banner and a spoken line, when they asked to be told or cannot go on without knowing. Never debounced: when you poll or loop, call it once, at the end. Permissions, questions and finished rounds are announced without you. The result says what the system accepted, not that anybody saw it.",
    {
      message: text("One short sentence. No secrets, no long output: it is shown on a screen and read aloud."),
      title: text("Heading of the banner; without it the source."),
      source: text(
        "What this is about in a word or two, such as a ticket or the session's name. Always give it: the spoken line begins with it.",
      ),
      mode: choice(
        ["both", "banner", "voice"],
        "Only when the person asked for it; otherwise their own setting decides.",
      ),
      voice: text("Name of a voice, only when the person asked for it."),
      sound: text("Name of a sound, only when the person asked for it."),
    },
    ["message"],
  ),
  configGet: define(
    "beckon_config_get",
    "Show the settings of the beckon notifications: each key with its value or unset, what holds then, the values it takes, and the file's path. Call it before beckon_config_set.",
    { section: text("notifications, alerts, locale or a part such as alerts.done; everything without it.") },
  ),
  configSet: define(
    "beckon_config_set",
    "Change settings of the beckon notifications when the person asks for it. Only the fields given are changed, all others stay; null takes a field back to its default; a list is replaced whole. Call beckon_config_get first for keys and values. What sends data away or lets an answer in (push, actions and more) only the person can set; the refusal has the command for them. The person is told of every change. The result shows the changed sections.",
    {
      notifications: fields('Fields of notifications to change, such as { "mode": "voice" }.'),
      alerts: fields('Fields of alerts to change, such as { "done": { "mode": "both" } }.'),
      locale: text("Language of alerts: auto, en, de or zh."),
    },
  ),
  status: define(
    "beckon_status",
    "Say how the beckon notifications are doing: what is connected, whether somebody is looking, mute, a mistake in the configuration, and why the last alerts came or did not come.",
  ),
} satisfies Record<string, ToolDefinition>;
