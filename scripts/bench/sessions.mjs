import { inChild } from "./in-child.mjs";
import { row } from "./row.mjs";

const few = 10;
const many = 10_000;
const group = `${many.toLocaleString("en")} sessions`;

export async function rows() {
  const seen = await inChild("sessions", { args: [String(few), String(many)], nodeArgs: ["--expose-gc"] });
  const time = (name, share, mostRatio) =>
    row({ group, name, value: seen.withMany[share], baseline: seen.withFew[share], unit: "ms", mostRatio });
  return [
    time(`decision time, median, against ${few}`, "p50", 2),
    time(`decision time, p99, against ${few}`, "p99"),
    row({ group, name: "an idle session", value: seen.bytesPerSession, unit: "B", most: 1024 }),
    row({
      group,
      name: "a deleted session, still held",
      value: Math.max(0, seen.bytesLeftPerSession),
      unit: "B",
      most: 64,
    }),
    row({ group, name: "records after all were deleted", value: seen.left, unit: "", most: 0 }),
  ];
}
