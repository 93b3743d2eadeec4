import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBench } from "../command-bench.ts";

const config = ".config/opencode/opencode.json";
const tui = ".config/opencode/tui.json";
const plugin = "/opt/opencode-beckon";

const benchWith = (version: string) => {
  const bench = createBench();
  bench.program("opencode", `echo ${version}`);
  return bench;
};

describe("beckon install", () => {
  test("goes by the opencode a person starts, not by the one npx finds in a project", async () => {
    using bench = benchWith("2.0.20");
    bench.program("../node_modules/.bin/opencode", "echo 1.18.33");
    const env = { ...bench.env, PATH: `${bench.root}/node_modules/.bin:${bench.env.PATH}` };
    const { out } = await bench.run(["install"], { place: { env, platform: "linux", home: bench.home } });
    expect(out).toContain("Found opencode 2.0.20 (ROOT/bin/opencode); installing for opencode 2.x.");
  });

  test("lists both parts for opencode 1.x and shows what it wrote", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{\n  // mine\n  "model": "x", // good\n  "plugin": ["other"]\n}\n');
    const { code, out, complaints } = await bench.run(["install"]);
    expect(complaints).toBe("");
    expect(code).toBe(0);
    expect(bench.read(config)).toBe(`{\n  // mine\n  "model": "x", // good\n  "plugin": ["other", "${plugin}"]\n}\n`);
    expect(JSON.parse(bench.read(tui))).toEqual({ $schema: "https://opencode.ai/tui.json", plugin: [plugin] });
    expect(out.replace(/json\.[0-9a-f]{8}/, "json.ID")).toMatchInlineSnapshot(`
      "Found opencode 1.18.33 (ROOT/bin/opencode); installing for opencode 1.x.

      ~/.config/opencode/opencode.json
            // mine
            "model": "x", // good
        -   "plugin": ["other"]
        +   "plugin": ["other", "/opt/opencode-beckon"]
          }

      ~/.config/opencode/tui.json (new)
        + {
        +   "$schema": "https://opencode.ai/tui.json",
        +   "plugin": ["/opt/opencode-beckon"]
        + }

      Backup: ~/.local/state/opencode-beckon/backups/opencode.json.ID

      Done. Restart opencode, then see whether all is well: beckon doctor
      "
    `);
  });

  test("lists one entry for opencode 2.x, which brings the terminal part itself", async () => {
    using bench = benchWith("2.0.20");
    await bench.run(["install"]);
    expect(JSON.parse(bench.read(config))).toEqual({ $schema: "https://opencode.ai/config.json", plugins: [plugin] });
    expect(existsSync(join(bench.home, tui))).toBe(false);
  });

  test("without an opencode on PATH it writes for 2.x and says how to have it otherwise", async () => {
    using bench = createBench();
    const { code, out } = await bench.run(["install"]);
    expect(code).toBe(0);
    expect(out).toContain("No opencode found on PATH; installing for opencode 2.x. For 1.x: beckon install --line 1");
    expect(bench.read(config)).toContain('"plugins"');
  });

  test.each([["1.18.33"], ["2.0.20"]])("twice on %s does nothing the second time", async (version) => {
    using bench = benchWith(version);
    bench.write(config, '{"plugin":["a"],}');
    await bench.run(["install"]);
    const before = bench.snapshot();
    const again = await bench.run(["install"]);
    expect(again).toMatchObject({ code: 0, complaints: "" });
    expect(again.out).toContain("Nothing to do");
    expect(bench.snapshot()).toEqual(before);
  });

  test("never lists the plugin under both keys: a change of line moves it", async () => {
    using bench = benchWith("2.0.20");
    bench.write(config, '{ "plugin": ["opencode-beckon@0.0.9"], "model": "x" }');
    await bench.run(["install"]);
    expect(JSON.parse(bench.read(config))).toEqual({ model: "x", plugins: [plugin] });
    await bench.run(["install", "--line", "1"]);
    expect(JSON.parse(bench.read(config))).toEqual({ model: "x", plugin: [plugin] });
  });

  test("replaces another copy or version of itself and keeps its options", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{ "plugin": [["opencode-beckon@0.0.1", { "a": 1 }], "b", "/old/opencode-beckon"] }');
    await bench.run(["install"]);
    expect(JSON.parse(bench.read(config))).toEqual({ plugin: [[plugin, { a: 1 }], "b"] });
  });

  test("names a package from npx by name and version, because that folder will not stay", async () => {
    using bench = benchWith("1.18.33");
    await bench.run(["install"], { packageRoot: "/home/u/.npm/_npx/ab12/node_modules/opencode-beckon" });
    expect(bench.read(config)).toContain('"opencode-beckon@0.1.0"');
  });

  test("with --project writes to the project, and to the file that is there", async () => {
    using bench = benchWith("1.18.33");
    bench.write("project/opencode.jsonc", "{ /* ours */ }");
    const { out } = await bench.run(["install", "--project"]);
    expect(bench.read("project/opencode.jsonc")).toContain(plugin);
    expect(bench.read("project/.opencode/tui.json")).toContain(plugin);
    expect(existsSync(join(bench.home, ".config"))).toBe(false);
    expect(out).toContain("~/project/.opencode/tui.json (new)");
  });

  test("with --dry-run shows the change and writes nothing", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, "{}");
    const before = bench.snapshot();
    const { code, out } = await bench.run(["install", "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toContain(`+   "plugin": ["${plugin}"]`);
    expect(out).toContain("Dry run: nothing was written.");
    expect(bench.snapshot()).toEqual(before);
  });

  test("switches opencode's own notifications off only when asked", async () => {
    using bench = benchWith("1.18.33");
    bench.write(tui, '{ "attention": { "enabled": true, "volume": 1 } }');
    await bench.run(["install"]);
    expect(bench.read(tui)).toContain('"enabled": true');
    await bench.run(["install", "--native-attention-off"]);
    expect(bench.read(tui)).toContain('"enabled": false, "volume": 1');
    using second = benchWith("2.0.20");
    await second.run(["install", "--native-attention-off"]);
    expect(JSON.parse(second.read(".config/opencode/cli.json"))).toEqual({ plugins: ["-opencode.notifications"] });
  });

  test("refuses a file that is not JSON, names the line and leaves everything alone", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{\n  "plugin": [\n');
    const before = bench.snapshot();
    const { code, complaints } = await bench.run(["install"]);
    expect(code).toBe(2);
    expect(complaints).toBe(
      "beckon: ROOT/home/.config/opencode/opencode.json is not JSON: line 3, column 1: expected a closing ], found the end of the file; nothing was changed\n",
    );
    expect(bench.snapshot()).toEqual(before);
  });

  test("writes through a link and keeps the file's mode", async () => {
    using bench = benchWith("1.18.33");
    const real = bench.write("dotfiles/opencode.json", "{}");
    mkdirSync(join(bench.home, ".config/opencode"), { recursive: true });
    symlinkSync(real, join(bench.home, config));
    await bench.run(["install"]);
    expect(lstatSync(join(bench.home, config)).isSymbolicLink()).toBe(true);
    expect(bench.read("dotfiles/opencode.json")).toContain(plugin);
    expect(bench.snapshot()["dotfiles/opencode.json"]).toMatch(/^644 /);
  });
});

describe("what install cannot give back as it was", () => {
  const bytes = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));
  test.each([
    [
      "a comment in latin-1",
      bytes("{\n  // gr", 0xfc, "n\n}\n"),
      "is not UTF-8 text (line 2, byte 8); save it as UTF-8",
    ],
    [
      "UTF-16",
      Buffer.from('\uFEFF{ "model": "x" }', "utf16le"),
      "is not UTF-8 text (line 1, byte 1); save it as UTF-8",
    ],
    [
      "a hundred thousand brackets",
      bytes(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
      "is not JSON: line 1, column 37: expected at most 32 levels of nesting, found more",
    ],
    ["17 MiB", Buffer.alloc(17 * 1_024 * 1_024, " "), "has 17408 KiB, expected at most 16384 KiB"],
  ])("is left alone and named, by uninstall too: %s", async (_name, before, why) => {
    using bench = benchWith("1.18.33");
    const path = bench.write(config, "");
    writeFileSync(path, before);
    const { code, complaints } = await bench.run(["install"]);
    expect(code).toBe(2);
    expect(complaints.replace("opencode.json:", "opencode.json")).toBe(
      `beckon: ROOT/home/.config/opencode/opencode.json ${why}; nothing was changed\n`,
    );
    await bench.run(["uninstall"]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(join(bench.home, tui))).toBe(false);
  });

  test("a file its owner made read-only stays as it is", async () => {
    using bench = benchWith("1.18.33");
    chmodSync(bench.write(config, "{}"), 0o444);
    const { code, complaints } = await bench.run(["install"]);
    expect(code).toBe(1);
    expect(complaints).toContain("opencode.json: is read-only (mode 0444); to have it changed: chmod u+w");
    expect(bench.snapshot()[config]).toBe("444 {}");
    expect((await bench.run(["uninstall"])).code).toBe(0);
    expect(bench.snapshot()[config]).toBe("444 {}");
  });

  test("a file somebody changes while install asks for opencode's version keeps the change", async () => {
    using bench = createBench();
    const path = bench.write(config, "{}");
    bench.program("opencode", `printf '{ "edited": true }' > '${path}'\necho 1.18.33`);
    await bench.run(["install"]);
    expect(JSON.parse(bench.read(config))).toEqual({ edited: true, plugin: [plugin] });
  });

  test("a link to nowhere stays one, and what it names is made and goes again", async () => {
    using bench = benchWith("1.18.33");
    mkdirSync(join(bench.home, ".config/opencode"), { recursive: true });
    symlinkSync("../../dotfiles/opencode.json", join(bench.home, config));
    await bench.run(["install"]);
    expect(readlinkSync(join(bench.home, config))).toBe("../../dotfiles/opencode.json");
    expect(bench.read("dotfiles/opencode.json")).toContain(plugin);
    await bench.run(["uninstall"]);
    expect(readlinkSync(join(bench.home, config))).toBe("../../dotfiles/opencode.json");
    expect(existsSync(join(bench.home, "dotfiles"))).toBe(false);
  });

  test.skipIf(process.getuid?.() !== 0)("a file of somebody else's stays theirs when root installs", async () => {
    using bench = benchWith("1.18.33");
    const path = bench.write(config, "{}");
    chownSync(path, 1_234, 1_235);
    await bench.run(["install"]);
    expect(bench.read(config)).toContain(plugin);
    expect(statSync(path)).toMatchObject({ uid: 1_234, gid: 1_235 });
  });
});

describe("beckon uninstall without a backup that can be used", () => {
  const before =
    '{\n  // mine\n  "model": "x/y",\n  "attention": { "enabled": true },\n  "plugin": [ /* none */ ]\n}\n';
  const backups = (bench: ReturnType<typeof createBench>) => join(bench.home, ".local/state/opencode-beckon/backups");

  test.each(["gone", "empty", "of other text", "a folder", "a link to a device"])(
    "takes out exactly what install put in, and never guesses: a backup that is %s",
    async (what) => {
      using bench = benchWith("1.18.33");
      for (const path of [config, tui]) bench.write(path, before);
      await bench.run(["install", "--native-attention-off"]);
      for (const name of readdirSync(backups(bench))) {
        const path = join(backups(bench), name);
        rmSync(path);
        if (what === "empty") writeFileSync(path, "");
        if (what === "of other text") writeFileSync(path, "{}");
        if (what === "a folder") mkdirSync(path);
        if (what === "a link to a device") symlinkSync("/dev/zero", path);
      }
      expect((await bench.run(["uninstall"])).code).toBe(0);
      for (const path of [config, tui]) expect(bench.read(path)).toBe(before);
    },
  );

  test("does so without any record, too", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, before);
    await bench.run(["install"]);
    rmSync(join(bench.home, ".local"), { recursive: true });
    await bench.run(["uninstall"]);
    expect(bench.read(config)).toBe(before);
  });
});

describe("beckon uninstall", () => {
  const texts = [
    undefined,
    "",
    "{}",
    '{ "plugin": [] }',
    '{\n\t"plugin": [\n\t\t"a", // x\n\t],\n}\n',
    '\uFEFF{\r\n  "model": "x", // hello\r\n  "plugins": ["p"]\r\n}',
    '{ "plugins": ["opencode-beckon@0.0.1"], "plugin": ["/x/opencode-beckon", "b"] }',
  ];

  test("leaves every byte, mode and folder as install found it", async () => {
    const run = fc.record({
      server: fc.constantFrom(...texts),
      terminal: fc.constantFrom(...texts, '{ "attention": { "enabled": true } }'),
      versions: fc.array(fc.constantFrom("1", "2"), { minLength: 1, maxLength: 3 }),
      flags: fc.constantFrom([], ["--project"], ["--native-attention-off"]),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ server, terminal, versions, flags }) => {
        using bench = createBench();
        if (server !== undefined) bench.write(config, server);
        if (terminal !== undefined) bench.write(tui, terminal);
        const before = bench.snapshot();
        for (const line of versions) expect((await bench.run(["install", "--line", line, ...flags])).code).toBe(0);
        expect((await bench.run(["uninstall"])).code).toBe(0);
        expect(bench.snapshot()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test("keeps what somebody changed in the meantime", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{ "plugin": ["a"] }');
    await bench.run(["install"]);
    bench.write(config, `{ "$schema": "s", "plugin": ["a", "${plugin}", "b"], "model": "new" }`);
    bench.write(tui, `{ "theme": "dark", "plugin": ["${plugin}"] }`);
    await bench.run(["uninstall"]);
    expect(bench.read(config)).toBe('{ "$schema": "s", "plugin": ["a", "b"], "model": "new" }');
    expect(bench.read(tui)).toBe('{ "theme": "dark" }');
    expect(existsSync(join(bench.home, ".local/state/opencode-beckon"))).toBe(false);
  });

  test("does not bring back what somebody changed between two installs", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{ "plugin": ["a"] }');
    await bench.run(["install"]);
    bench.write(config, bench.read(config).replace('"a"', '"c"'));
    await bench.run(["install"], { packageRoot: "/elsewhere/opencode-beckon" });
    expect(bench.read(config)).toBe('{ "plugin": ["c", "/elsewhere/opencode-beckon"] }');
    await bench.run(["uninstall"]);
    expect(bench.read(config)).toBe('{ "plugin": ["c"] }');
  });

  test("also takes out an entry that was written by hand or by opencode itself", async () => {
    using bench = createBench();
    bench.write("project/.opencode/opencode.json", '{ "plugin": ["opencode-beckon", "b"] }');
    bench.write("project/.opencode/tui.json", '{ "plugin": ["file:///x/opencode-beckon-0.1.0.tgz"] }');
    await bench.run(["uninstall", "--project"]);
    expect(bench.read("project/.opencode/opencode.json")).toBe('{ "plugin": ["b"] }');
    expect(bench.read("project/.opencode/tui.json").replaceAll(/\s/g, "")).toBe("{}");
  });

  test("names what install did not write, and takes that out when called again", async () => {
    using bench = benchWith("1.18.33");
    bench.write(config, '{ "plugin": ["opencode-beckon@0.0.1"] }');
    await bench.run(["install", "--project"]);
    const { out } = await bench.run(["uninstall"]);
    expect(out).toContain("Still listed in ~/.config/opencode/opencode.json");
    expect(bench.read(config)).toContain("opencode-beckon@0.0.1");
    await bench.run(["uninstall"]);
    expect(bench.read(config).replaceAll(/\s/g, "")).toBe("{}");
  });

  test("says so when there is nothing to do", async () => {
    using bench = createBench();
    expect(await bench.run(["uninstall"])).toEqual({
      code: 0,
      out: "Nothing to do: no entry of beckon was found.\n",
      complaints: "",
    });
  });

  test("with --dry-run writes nothing", async () => {
    using bench = benchWith("1.18.33");
    await bench.run(["install"]);
    const before = bench.snapshot();
    const { out } = await bench.run(["uninstall", "--dry-run"]);
    expect(out).toContain("~/.config/opencode/opencode.json (removed)");
    expect(bench.snapshot()).toEqual(before);
  });
});
