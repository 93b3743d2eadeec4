import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Outlet } from "../../../src/server/delivery/channel.ts";
import { createPush } from "../../../src/server/delivery/push.ts";
import type { PushTarget } from "../../../src/server/delivery/push-request.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { waitFor } from "../../rig/host/wait-for.ts";

const common = { afterSeconds: 120, title: true, detail: true, actions: false, events: ["pause"] } as const;

/** A message service that answers in its way, and the push to it as an outlet. */
async function arrange(type: "ntfy" | "webhook", answer: (response: ServerResponse) => void, deadlineMs = 20_000) {
  const bodies: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      if (text !== "") bodies.push(JSON.parse(text));
      answer(response);
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target: PushTarget =
    type === "ntfy"
      ? { type, url, topic: "t", ...common, events: ["pause"] }
      : { type, url, ...common, events: ["pause"] };
  const clock = {
    ...systemClock,
    after: (ms: number, run: () => void) => systemClock.after(ms === 2_000 ? 0 : ms, run),
  };
  const push = createPush({ env: {}, clock, log: () => {}, deadlineMs });
  const outlet: Outlet = {
    name: type,
    send: (note) => push.send(note, target),
    withdraw: push.withdraw,
    close: async () => void push.stop(),
  };
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  };
  return { bodies, outlet, close };
}

for (const type of ["ntfy", "webhook"] as const) {
  outletContract({
    name: `push to ${type}`,
    texts: ({ title, body }) => [title, body],
    takesBack: "itself",
    async works() {
      const { bodies, ...rest } = await arrange(type, (response) => response.writeHead(200).end());
      const texts = () => bodies.map(({ title = "", message, body = "" }) => [title, message ?? body]);
      return {
        ...rest,
        received: (count) => waitFor(`${count} requests`, () => (texts().length >= count ? texts() : undefined)),
      };
    },
    fails: {
      refused: () => arrange(type, (response) => response.writeHead(403).end()),
      lost: () => arrange(type, (response) => response.destroy()),
      timeout: () => arrange(type, () => {}, 300),
    },
  });
}
