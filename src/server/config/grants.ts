import type { Config } from "./schema.ts";

/** What decides where alerts go, what runs, and whose answers count; wherever in the configuration it stands. */
const granting: ReadonlySet<string> = new Set(["push", "command", "actions"]);

/**
 * Reads the configuration in force, and says in words when something in it that grants authority has become another: once
 * for each change, and before anybody is given the new one. It does not matter who changed it, or how.
 */
export function tellGrants(current: () => Config, tell: (words: string) => void): () => Config {
  let inForce = current();
  return () => {
    const before = inForce;
    inForce = current();
    if (inForce !== before) {
      const changed = changedGrants(before, inForce);
      if (changed.length > 0) tell(wordsFor(changed, inForce));
    }
    return inForce;
  };
}

/** Keys such as `alerts.push` whose value is another one in these two. */
function changedGrants(before: Config, after: Config): string[] {
  const [was, is] = [grantsIn(before), grantsIn(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
}

function grantsIn(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, inner]): [string, string][] => {
      const at = [...path, key];
      return granting.has(key) ? [[at.join("."), JSON.stringify(inner)]] : [...grantsIn(inner, at)];
    }),
  );
}

/** An address may be a secret: only the server's name is told. */
function wordsFor(changed: readonly string[], { alerts }: Config): string {
  const servers = [...new Set(alerts.push.map(({ url }) => new URL(url).host))];
  const answers = [
    ...(alerts.pause.actions ? ["from banners"] : []),
    ...(alerts.push.some(({ actions }) => actions) ? ["from pushed messages"] : []),
  ];
  const words = [
    `From now on in force: another ${changed.join(", ")}.`,
    servers.length === 0 ? "Nothing is pushed." : `Alerts are pushed to ${servers.join(", ")}.`,
    answers.length === 0 ? "" : `Permissions can be answered ${answers.join(" and ")}.`,
    "Not you? See: beckon config get",
  ];
  return words.filter((word) => word !== "").join(" ");
}
