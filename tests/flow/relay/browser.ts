import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens a page in a real Chromium; resolves with what its script handed to `done(…)`. */
export async function inBrowser(script: string): Promise<unknown> {
  const profile = mkdtempSync(join(tmpdir(), "beckon-chromium-"));
  let tell: (result: unknown) => void = () => {};
  const result = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  const page = `<!doctype html><script>
    const done = (result) => fetch("/done", { method: "POST", body: JSON.stringify(result) });
    ${script}
  </script>`;
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.setHeader("content-type", "text/html").end(page);
    let body = "";
    for await (const piece of request) body += piece;
    tell(JSON.parse(body));
    return response.end();
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const browser = spawn("chromium", [...flags, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: "ignore",
    detached: true, // a group of its own, so that its helpers end with it
  });
  const exited = new Promise<void>((gone) => browser.once("exit", () => gone()));
  try {
    return await result;
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
    await exited;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}
