import { beforeAll, expect, test } from "vitest";
import { bundle } from "../rig/bundle.ts";
import { needs } from "../rig/needs.ts";
import { inBrowser } from "./relay/browser.ts";
import { report, terminalHello } from "./relay/client.ts";
import { runtimes } from "./relay/runtimes.ts";
import { startRelayProcess } from "./relay/start-relay-process.ts";

needs("chromium")("a page in a real browser", () => {
  let script: string;
  beforeAll(async () => {
    script = await bundle(new URL("./relay/relay-main.ts", import.meta.url));
  });

  test.each(runtimes)(
    "does not get into a relay on TCP under $name, not even with the right token",
    async (runtime) => {
      const relay = await startRelayProcess(runtime, script, { onlyTCP: true });
      try {
        const { url, token } = relay.descriptor();
        const hello = JSON.stringify(terminalHello(token, { id: "page", report: report("focused") }));
        const seen = await inBrowser(`
        const seen = [];
        const socket = new WebSocket(${JSON.stringify(url)});
        socket.onopen = () => { seen.push("open"); socket.send(${JSON.stringify(hello)}); };
        socket.onmessage = () => seen.push("message");
        socket.onclose = async ({ code }) => {
          seen.push("closed " + code);
          await fetch(${JSON.stringify(url.replace("ws:", "http:"))})
            .then((answer) => seen.push("fetched " + answer.status), () => seen.push("not fetched"));
          done(seen);
        };
      `);
        expect(seen).toEqual(["closed 1006", "not fetched"]);
        await relay.until((line) => line.log === "relay: refused a request: sent by a web page");
        await relay.settle();
        expect(relay.presence()).toEqual([]);
      } finally {
        await relay.end();
      }
    },
    120_000,
  );
});
