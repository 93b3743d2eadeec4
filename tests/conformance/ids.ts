const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Prefixes of the ids the host makes (§4.1 evt, §4.4 per and frm, §4.6 sh, §5 ses and msg). */
export type IDPrefix = "evt" | "ses" | "msg" | "per" | "frm" | "sh" | "call" | "psv";

/** Unique within a process and never reused, also not across processes of one test run. */
export function createIDs(random: () => number = Math.random) {
  let serial = 0;
  return (prefix: IDPrefix): string => {
    serial += 1;
    const tail = Array.from({ length: 14 }, () => letters[Math.floor(random() * letters.length)]).join("");
    return `${prefix}_${serial.toString(16).padStart(9, "0")}001${tail}`;
  };
}

export type MakeID = ReturnType<typeof createIDs>;
