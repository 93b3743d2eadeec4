import { silentLog } from "../../shared/log.ts";
import { configFileSource } from "../config/file-source.ts";
import { configPath, type Place } from "../config/location.ts";
import { createConfigReader } from "../config/reader.ts";
import { createConfigStore } from "../config/store.ts";
import { createTools } from "../tools/create-tools.ts";
import type { Tool } from "../tools/tool.ts";
import type { Runtime } from "./instances.ts";
import { statusLines } from "./status.ts";

/** The model's tools over this machine's configuration file and the runtime of this process. */
export function createRealTools(place: Place, runtime: () => Runtime | undefined): Tool[] {
  const path = configPath(place);
  const now = (): Runtime => {
    const found = runtime();
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
