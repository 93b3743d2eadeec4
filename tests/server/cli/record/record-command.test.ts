import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Observer } from "../../../../src/server/focus/observer-peer.ts";
import { startSmallDisk } from "../../../rig/small-disk.ts";
import { createBench } from "../command-bench.ts";
import { startRelay } from "../relay-rig.ts";

const meta = { t: 0, kind: "meta", format: 1, line: "v1", directory: "/home/ann/client" };
const prompt = {
  t: 5,
  kind: "event",
  event: { id: "evt_1", type: "message.part.updated", properties: { part: { type: "text", text: "my secret plan" } } },
};

/** An engine that hands out these lines as soon as somebody records. */
const recording = (lines: readonly unknown[], onStop = () => {}): Observer => ({
  status: () => null,
  record(onLine) {
    for (const line of lines) onLine(typeof line === "string" ? line : JSON.stringify(line));
    return onStop;
  },
});

const stateOf = (home: string) => join(home, ".local/state/opencode-beckon");

describe("beckon record", () => {
  test("writes the trace without private text and says what was replaced", async () => {
    using bench = createBench();
    let stopped = false;
    await using _ = await startRelay(
      stateOf(bench.home),
      recording([meta, prompt, "no JSON"], () => {
        stopped = true;
      }),
    );
    const stop = new AbortController();
    const complaints: string[] = [];
    const printed: string[] = [];
    const out = {
      write: (text: string) => void printed.push(text),
      complain: (text: string) => {
        complaints.push(text);
        stop.abort();
      },
      colour: false,
    };
    const { code } = await bench.run(["record", "trouble.jsonl"], { out, signal: stop.signal });
    expect(code).toBe(0);
    const file = join(bench.cwd, "trouble.jsonl");
    expect(
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { ...meta, directory: "/project" },
      {
        ...prompt,
        event: { id: "evt_1", type: "message.part.updated", properties: { part: { type: "text", text: "text" } } },
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(complaints).toEqual(["Recording; Ctrl-C ends it.\n"]);
    expect(printed.join("")).toContain("2 lines written to trouble.jsonl");
    expect(stopped).toBe(true);
  });

  test("says so when the disk is full, and leaves no half of a trace", async () => {
    using bench = createBench();
    await using _ = await startRelay(stateOf(bench.home), recording(Array.from({ length: 4_000 }, () => prompt)));
    const folder = join(bench.cwd, "small");
    using disk = startSmallDisk(folder);
    disk.fill();
    const { code, out, complaints } = await bench.run(["record", "small/x.jsonl", "--seconds", "1"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(complaints).toMatch(/small\/x\.jsonl: (the disk is full|permission denied)\n$/); // the second: not root
  });

  test("does not take more seconds than a clock can count", async () => {
    using bench = createBench();
    await using _ = await startRelay(stateOf(bench.home), recording([meta]));
    const { code, complaints } = await bench.run(["record", "x.jsonl", "--seconds", "3000000"]);
    expect(code).toBe(2);
    expect(complaints).toContain("Expected at most 86400");
  });

  test("never writes over a file", async () => {
    using bench = createBench();
    await using _ = await startRelay(stateOf(bench.home), recording([meta]));
    bench.write("project/there.jsonl", "mine");
    const { code, complaints } = await bench.run(["record", "there.jsonl"]);
    expect(code).toBe(1);
    expect(complaints).toContain("is there already; nothing was written");
    expect(bench.read("project/there.jsonl")).toBe("mine");
  });

  test("says why when that opencode cannot record", async () => {
    using bench = createBench();
    await using _ = await startRelay(stateOf(bench.home), { status: () => null });
    const { code, complaints } = await bench.run(["record", "x.jsonl"]);
    expect(code).toBe(1);
    expect(complaints).toContain("cannot record: not available here");
  });

  test("asks which opencode is meant when several run, and takes the one of this folder", async () => {
    using bench = createBench();
    await using _ = await startRelay(stateOf(bench.home), recording([]), ["/somewhere/else"]);
    await using __ = await startRelay(stateOf(bench.home), recording([meta]), ["/somewhere/third"]);
    const { complaints } = await bench.run(["record", "x.jsonl"]);
    expect(complaints).toContain("several run: say which with --pid");
    await using ___ = await startRelay(stateOf(bench.home), recording([meta]), [bench.cwd]);
    expect(await bench.run(["record", "y.jsonl", "--seconds", "1"])).toMatchObject({ code: 0 });
  });

  test("without a running opencode is a finding", async () => {
    using bench = createBench();
    expect(await bench.run(["record", "x.jsonl"])).toEqual({
      code: 1,
      out: "",
      complaints: "beckon: no running opencode with beckon found\n",
    });
  });
});
