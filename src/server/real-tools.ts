import { silentLog } from "../shared/log.ts";
import { configFileSource } from "./config/file-source.ts";
import { configPath, type Place } from "./config/location.ts";
import { createConfigReader } from "./config/reader.ts";
import { createConfigStore } from "./config/store.ts";
import type { Running } from "./members.ts";
import { statusLines } from "./status.ts";
import { createTools } from "./tools/create-tools.ts";
import type { Tool } from "./tools/tool.ts";

/** The model's tools over this machine's configuration file and the engine that runs now. */
export function createRealTools(place: Place, running: () => Running | undefined): Tool[] {
  const path = configPath(place);
  const now = (): Running => {
    const found = running();
    if (found === undefined) throw new Error("opencode-beckon has been closed in this process");
    return found;
  };
  const store = createConfigStore({
    path,
    read: configFileSource(path),
    reader: createConfigReader({ log: silentLog }),
  });
  const tools = createTools({
    config: {
      ...store,
      async save(patch) {
        now(); // nothing is changed that nobody is left to tell of
        return store.save(patch);
      },
    },
    changed: (changes, sessionID) => now().changedByModel(changes, sessionID),
    notify: (request) => now().notify(request),
    statusText: async () => statusLines(await now().status()).join("\n"),
  });
  return tools.map((tool) => ({
    ...tool,
    async run(args, call) {
      await store.look();
      return tool.run(args, call);
    },
  }));
}
