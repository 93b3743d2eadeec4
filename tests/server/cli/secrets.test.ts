import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configFileSource } from "../../../src/server/config/file-source.ts";
import { createConfigReader } from "../../../src/server/config/reader.ts";
import { createConfigStore } from "../../../src/server/config/store.ts";
import { configGet } from "../../../src/server/tools/config-get.ts";
import { createBench } from "./command-bench.ts";

const file = ".config/opencode-beckon/config.json";

/** Each has secrets in it, and each secret has this in it. */
const mark = /s3cr3t/i;
const push = (...targets: unknown[]) => JSON.stringify({ alerts: { push: targets } });
const ntfy = { type: "ntfy", url: "https://h.example", topic: "t" };
const configurations = {
  "that is right": push(
    {
      type: "ntfy",
      url: "http://127.0.0.1:9/s3cr3tpath?k=s3cr3tquery",
      topic: "s3cr3ttopic",
      token: "tk_s3cr3t",
    },
    { type: "webhook", url: "http://127.0.0.1:9/services/s3cr3thook", secret: "s3cr3tsign" },
  ),
  "with a token that lost its quotes": `{"alerts":{"push":[{"type":"ntfy","url":"https://h","topic":"t","token": tk_s3cr3t}]}}`,
  "with half a text": `{"alerts":{"push":[{"type":"webhook","url":"https://h","secret": "abc"s3cr3t }]}}`,
  "with an address where a target belongs": push("https://ntfy.sh/s3cr3ttopic"),
  "with one target where a list belongs": `{"alerts":{"push":{"url":"https://h/s3cr3thook"}}}`,
  "with an address as a type": push({ type: "https://h/s3cr3thook", url: "https://h" }),
  "with a token as a key": push({ ...ntfy, tk_s3cr3t: true }),
  "with an address as a key": `{"alerts":{"https://ntfy.sh/s3cr3ttopic":true},"tk_S3CR3T":1}`,
  "with a misspelt key": push({ ...ntfy, tokn: "tk_s3cr3t", passwrd: "s3cr3t" }),
  "with misplaced keys": `{"token":"tk_s3cr3t","secret":"s3cr3t","alerts":{"topic":"s3cr3ttopic","url":"https://h/s3cr3t"}}`,
  "with lists and numbers for texts": push({
    ...ntfy,
    url: ["https://h/s3cr3t"],
    token: { a: "s3cr3t" },
    topic: [["s3cr3t"]],
  }),
  "with a token under another key": push({ ...ntfy, events: "tk_s3cr3t", title: "s3cr3t", actions: "s3cr3t" }),
  "with a token elsewhere": `{"locale":"tk_s3cr3t","alerts":{"detail":"s3cr3tS3CR3T","done":{"mode":"https://h/s3cr3t"}}}`,
  "with a password in an address": push({ ...ntfy, url: "http://user:s3cr3tpw@h.example/" }),
  "with an address that is none": push({ ...ntfy, url: "ftp://u:s3cr3t@h/" }),
  "with two targets, the second broken off": `${push({ ...ntfy, token: "tk_s3cr3t" }).slice(0, -4)}`,
};

const commands = [
  ["config", "check"],
  ["config", "get"],
  ["config", "get", "--json"],
  ["config", "get", "alerts"],
  ["config", "get", "alerts.push"],
  ["config", "get", "alerts.push", "--json"],
  ["config", "set", "alerts.detail", "none"],
  ["doctor"],
  ["doctor", "--json"],
  ["status"],
  ["status", "--json"],
  ["test", "pause", "--channel", "push"],
];

describe("no secret is in what a person would paste into a bug report", () => {
  test.each(Object.entries(configurations))("of a configuration %s", async (_, text) => {
    using bench = createBench();
    const said: string[] = [];
    for (const command of commands) {
      const path = bench.write(file, text);
      const { out, complaints } = await bench.run(command);
      expect(`${out}${complaints}`, command.join(" ")).not.toBe("");
      said.push(`${command.join(" ")}: ${out}${complaints}`);
      if (command[1] === "check") expect(out + complaints).toContain(path.replace(bench.root, "ROOT"));
    }
    expect(said.filter((words) => mark.test(words))).toEqual([]);
    expect(below(join(bench.home, ".local")).filter((path) => mark.test(readFileSync(path, "utf8")))).toEqual([]);
  });

  test.each(Object.entries(configurations))("nor in what the model is told of one %s", async (_, text) => {
    using bench = createBench();
    const path = bench.write(file, text);
    const read = configFileSource(path);
    const logged: string[] = [];
    const reader = createConfigReader({ log: (line) => logged.push(line) });
    const config = createConfigStore({ path, read, reader });
    await config.look();
    const answer = await configGet({ config }).run({}, { sessionID: "ses" });
    expect(answer).toContain("alerts.push");
    expect([answer, ...logged].filter((words) => mark.test(words))).toEqual([]);
  });
});

test("what was set is not said again where it is a secret", async () => {
  using bench = createBench();
  const value = JSON.stringify([{ ...ntfy, topic: "s3cr3ttopic", token: "tk_s3cr3t" }]);
  const { code, out } = await bench.run(["config", "set", "alerts.push", value]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('"token":"(set, not shown)"') });
  expect(out).not.toMatch(mark);
  const wrong = await bench.run(["config", "set", "alerts.push", '[{"type":"ntfy","tk_s3cr3t":"s3cr3t"}]']);
  expect(wrong).toMatchObject({ code: 2, complaints: expect.stringContaining("alerts.push[0].(a key)") });
  expect(wrong.complaints).not.toMatch(mark);
});

test("only who asks for them is shown the secrets", async () => {
  using bench = createBench();
  bench.write(file, configurations["that is right"]);
  const { out } = await bench.run(["config", "get", "alerts.push", "--secrets"]);
  expect(JSON.parse(out)).toMatchObject([{ topic: "s3cr3ttopic", token: "tk_s3cr3t" }, { secret: "s3cr3tsign" }]);
  expect((await bench.run(["config", "get", "--json", "--secrets"])).out).toContain("s3cr3thook");
});

test("a name and a token in an address of opencode.json are not shown by doctor", async () => {
  using bench = createBench();
  bench.write(
    ".config/opencode/opencode.json",
    '{"plugin":["git+https://me:s3cr3t@git.example/me/opencode-beckon.git","git+https://s3cr3t@git.example/opencode-notifier"]}',
  );
  const { out } = await bench.run(["doctor"]);
  expect(out).toContain("git.example");
  expect(out).not.toMatch(mark);
});

const below = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path).isFile());
  } catch {
    return [];
  }
};
