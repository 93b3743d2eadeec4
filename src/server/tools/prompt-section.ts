import { toolDefinitions } from "./definitions.ts";

const { notifyUser, configGet, configSet, status } = toolDefinitions;

/** A few lines for the system prompt: when to notify, how, and that settings are read before they are written. */
export const promptSection = `# Notifications
- ${notifyUser.name}: call the person only when they asked to be told, or when you cannot go on without them and they may be away. Once per matter, at the end of a loop or wait. Give a short message and a source (ticket or session name).
- Permissions, questions, finished and failed rounds are announced without you; do not announce them again.
- Settings: ${configGet.name} first, then ${configSet.name} with only the fields to change. "Why was I (not) called?": ${status.name}.`;
