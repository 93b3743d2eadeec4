import * as z from "zod/mini";

type Words = {
  /** What is expected, where a value is of another kind altogether. */
  title: string;
  /** For the JSON Schema, which is how an editor knows it. */
  pattern: string;
  maxLength: number;
  /** What was expected, when this text breaks a rule. */
  fault(text: string): string | undefined;
};

/** A text with rules of which each has words of its own. None of them quotes the text: it may hold a secret. */
function ruled({ fault, ...words }: Words) {
  const schema = z.string().check(
    z.refine((text) => fault(text) === undefined, {
      error: ({ input }) => (typeof input === "string" ? fault(input) : undefined) ?? words.title,
    }),
  );
  z.globalRegistry.add(schema, words);
  return schema;
}

/** Longer ones hardly any server takes. */
const longestAddress = 2_000;

/** Where a request can be sent. What can never work is an error at once, not a message that nobody gets. */
export const pushAddress = () =>
  ruled({
    title: "an http or https address",
    pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@\\\\]+([/?][^\\s#\\\\]*)?$",
    maxLength: longestAddress,
    fault(text) {
      if (!/^https?:\/\//i.test(text)) return "an http or https address";
      if (text.length > longestAddress) return `an address of at most ${longestAddress} characters`;
      if (/[\s\\\p{C}]/u.test(text)) return "an address without spaces, control characters and backslashes";
      if (text.includes("#")) return "an address without a fragment (#…): no server is told of it";
      if (/^[^/]*\/\/[^/?]*@/.test(text))
        return "an address without user name and password: they are not sent (an ntfy server takes a token)";
      return leadsSomewhere(text) ? undefined : "an address with a host name, and a port from 1 to 65535 if any";
    },
  });

function leadsSomewhere(address: string): boolean {
  try {
    const { hostname, port } = new URL(address);
    const isName = hostname.length <= 254 && /^([\w-]{1,63}\.)*[\w-]{1,63}\.?$/.test(hostname);
    return port !== "0" && (isName || /^\[[\da-f:.]+\]$/.test(hostname));
  } catch {
    return false;
  }
}

/** Paths of ntfy's own (`DefaultDisallowedTopics` in its server/config.go): it refuses them as topics. */
const reserved = ["docs", "static", "file", "app", "metrics", "account", "settings", "signup", "login", "v1"];

export const pushTopic = () =>
  ruled({
    title: "a topic: 1 to 64 letters, digits, - and _",
    pattern: "^[-_A-Za-z0-9]{1,64}$",
    maxLength: 64,
    fault(text) {
      if (!/^[-_A-Za-z0-9]{1,64}$/.test(text)) return "a topic: 1 to 64 letters, digits, - and _";
      return reserved.includes(text) ? "another topic: ntfy keeps this one for itself" : undefined;
    },
  });

/** What a header can carry. */
export const pushToken = () =>
  ruled({
    title: "a token: 1 to 1000 letters, digits and signs of ASCII",
    pattern: "^[!-~]{1,1000}$",
    maxLength: 1_000,
    fault: (text) =>
      /^[!-~]{1,1000}$/.test(text)
        ? undefined
        : "a token: 1 to 1000 letters, digits and signs of ASCII, without spaces",
  });

/** The address a browser shows has the topic in it; JSON that is sent there arrives as it is, braces and all. */
export const withoutItsTopic = z.refine<{ url: string; topic: string }>(
  ({ url, topic }) => {
    const [address = ""] = url.split("?");
    const [, , , ...path] = address.replace(/\/+$/, "").split("/");
    return path.at(-1) !== topic;
  },
  { path: ["url"], error: "the server's address alone: the topic is given by itself" },
);
