import { pathToFileURL } from "node:url";

/** A module the test runner leaves alone, so its `import()` is the runtime's. */
const source: string = "data:text/javascript,export const load = (url) => import(url);";

type Importer = { load(url: string): Promise<Record<string, unknown>> };

const isImporter = (value: unknown): value is Importer =>
  typeof value === "object" && value !== null && "load" in value && typeof value.load === "function";

/** The runtime's own import: the test runner would transform the module first, and cache it by its path. */
export async function nativeImport(path: string, query = ""): Promise<Record<string, unknown>> {
  const importer: unknown = await import(source);
  if (!isImporter(importer)) throw new Error("no native import");
  return importer.load(pathToFileURL(path).href + query);
}
