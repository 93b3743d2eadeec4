import { appendFileSync } from "node:fs";
import { configFileSource } from "../../../src/server/config/file-source.ts";
import { createConfigReader } from "../../../src/server/config/reader.ts";
import { createConfigStore } from "../../../src/server/config/store.ts";
import { argumentShape } from "../../../src/server/tools/argument-shape.ts";
import { createTools } from "../../../src/server/tools/create-tools.ts";

// Our tools alone, as an opencode 1.18 plugin. Notifications go into a file.
const path = process.env.TEST_CONFIG ?? "";
const read = configFileSource(path);
const reader = createConfigReader({ read, log: () => {} });
const tools = createTools({
  config: createConfigStore({ path, reader, read }),
  async notify(request) {
    appendFileSync(process.env.TEST_NOTIFIED ?? "", `${JSON.stringify(request)}\n`);
    return {
      kind: "tried",
      attempts: [{ channel: "banner", delivery: { ok: true, outlet: "test", certainty: "accepted" } }],
    };
  },
  statusText: () => "all is well",
});

export default {
  id: "test.tools",
  server: async () => ({
    tool: Object.fromEntries(
      tools.map((tool) => [
        tool.name,
        {
          description: tool.description,
          args: argumentShape(tool),
          execute: (args: unknown, call: { sessionID: string }) => tool.run(args, call),
        },
      ]),
    ),
  }),
};
