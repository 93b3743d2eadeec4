// Writes what is made of src/server/config/schema.ts: config.schema.json, and the table in docs/config.md.
// `--check` writes nothing and fails when one of them is stale.
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { loadTypeScript } from "./rig/load-typescript.mjs";

const { schemaText, withReference } = await loadTypeScript("src/server/config/reference.ts");
const page = new URL("../docs/config.md", import.meta.url);
const schema = new URL("../config.schema.json", import.meta.url);
const files = [
  [schema, schemaText()],
  [page, withReference(await readFile(page, "utf8"))],
];
for (const [file, text] of files) {
  const name = file.pathname.split("/").at(-1);
  if ((await readFile(file, "utf8").catch(() => "")) === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`${name} is stale: run node scripts/generate-schema.mjs`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`written: ${name}`);
  }
}
