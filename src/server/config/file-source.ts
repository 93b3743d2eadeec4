import { createFileSource } from "../files/file-source.ts";
import { maxConfigBytes } from "./parse.ts";
import type { ConfigText } from "./reader.ts";

/** The real configuration file for `createConfigReader`; cheap while the file does not change. */
export const configFileSource = (path: string): (() => Promise<ConfigText>) =>
  createFileSource({ path, maxBytes: maxConfigBytes });
