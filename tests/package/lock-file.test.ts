import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./packed.ts";

type Locked = { version: string; optionalDependencies?: Record<string, string>; integrity?: string; os?: string[] };

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const packages: Record<string, Locked> = JSON.parse(text).packages;

describe("the lock file", () => {
  test("lists the builds for every platform, or npm ci refuses on all of them", () => {
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(name)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test("names no registry: packages come from the one the machine is set to, checked by their hashes", () => {
    expect(text).not.toMatch(/"resolved"|registry/);
    const unchecked = Object.entries(packages).filter(([path, { integrity, os }]) => path && !integrity && !os);
    expect(unchecked).toEqual([]);
  });
});

const isLocked = (name: string) => Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
