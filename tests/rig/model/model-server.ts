import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type ModelRequest, readRequest } from "./request.ts";
import { hasScript, parseScript, type Script } from "./script.ts";
import { startStream } from "./stream.ts";

/** A scripted model on loopback. It forgets nothing: the same prompt text fails `[http 500 2]` only twice in its life. */
export type ModelServer = {
  /** Ends in `/v1`. */
  baseURL: string;
  /** Everything asked so far, oldest first. */
  requests(): ModelRequest[];
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function refuse(response: ServerResponse, status: number) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(
    JSON.stringify({ error: { message: `scripted HTTP ${status}`, type: "scripted", code: String(status) } }),
  );
}

/** Starts on a port of the system's choice. */
export async function startModel(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const failuresServed = new Map<string, number>();
  let serial = 0;

  async function play(script: Script, asked: ModelRequest, response: ServerResponse): Promise<void> {
    if (script.kind === "http") {
      const served = failuresServed.get(asked.prompt) ?? 0;
      if (served >= script.times) return play(script.after, asked, response);
      failuresServed.set(asked.prompt, served + 1);
      return refuse(response, script.status);
    }
    const round = script.kind === "tools" ? script.rounds[asked.roundsDone] : undefined;
    if (script.kind === "tools" && round === undefined) return play(script.after, asked, response);
    const stream = startStream(response, `scripted-${++serial}`);
    switch (script.kind) {
      case "text":
        for (const word of script.text.match(/\S+\s*/g) ?? []) stream.text(word);
        return stream.end(script.finish, script.inputTokens);
      case "tools":
        stream.tools(round ?? []);
        return stream.end("tool_calls");
      case "slow":
        for (let sent = 0; sent < script.chunks && !response.destroyed; sent++) {
          stream.text(`chunk ${sent} `);
          await wait(script.chunkMs);
        }
        return response.destroyed ? undefined : stream.end("stop");
      case "hang":
        stream.text("thinking... ");
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.endsWith("/chat/completions") !== true) return refuse(response, 404);
    const asked = readRequest(await bodyOf(request), hasScript);
    requests.push(asked);
    const script: Script = asked.offersTools
      ? parseScript(asked.prompt)
      : { kind: "text", text: "Scripted title", finish: "stop", inputTokens: 100 };
    await play(script, asked, response);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests: () => [...requests],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
