import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { closeCodes } from "../../src/shared/close-codes.ts";
import { repository } from "../server/cli/command-bench.ts";

const declaration = /export type (\w*(?:Failure|ErrorKind|RelayProblem))\s*=((?:[^;]|;(?=[^\n]*\}))*);/g;

/** Every literal of a union that names failures, wherever it is declared, and every close code of the relay. */
export function failureKinds(): { kind: string; where: string }[] {
  const folder = join(repository, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const declared = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/\/\/.*$/gm, "");
    return [...text.matchAll(declaration)].flatMap(([, name, body = ""]) =>
      [...body.matchAll(/"([a-z][\w-]*)"/gi)].map(([, kind = ""]) => ({ kind, where: `${name} in src/${file}` })),
    );
  });
  const codes = Object.entries(closeCodes).map(([name, code]) => ({ kind: String(code), where: `closeCodes.${name}` }));
  return [...declared, ...codes];
}
