import type { Config } from "../../config/schema.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import type { Wording } from "./wording.ts";
import { chinese } from "./zh.ts";

export type Locale = Exclude<Config["locale"], "auto">;

const wordings = { en: english, de: german, zh: chinese } satisfies Record<Locale, Wording>;

export const wordingFor = (locale: Locale): Wording => wordings[locale];

const isLocale = (language: string): language is Locale => Object.hasOwn(wordings, language);

/** The environment's language where the setting is `auto`; the first variable that is set decides. Source: POSIX, 8.2. */
export function chooseLocale(setting: Config["locale"], environment: Record<string, string | undefined>): Locale {
  if (setting !== "auto") return setting;
  const named = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || "";
  const language = named.toLowerCase().split(/[_.@-]/, 1)[0] ?? "";
  return isLocale(language) ? language : "en";
}
