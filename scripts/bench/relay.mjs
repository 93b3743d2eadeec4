import { inChild } from "./in-child.mjs";
import { row } from "./row.mjs";

const crowd = 1_000;

export async function rows() {
  const blur = await inChild("relay-blur");
  const seen = await inChild("relay-crowd", { args: ["1", "100", String(crowd)], nodeArgs: ["--expose-gc"] });
  const keys = await inChild("relay-keys");
  const one = seen[1];
  const many = seen[crowd];
  const share = (name, which, mostRatio) =>
    row({
      group: "blur → gate knows",
      name,
      value: blur.ours[which],
      baseline: blur.bare[which],
      unit: "ms",
      mostRatio,
    });
  const decision = (size) =>
    row({
      group: "relay",
      name: `decision time with ${size} terminals, median, against 1`,
      value: seen[size].decide.p50 * 1_000,
      baseline: one.decide.p50 * 1_000,
      unit: "µs",
    });
  return [
    share("median, against a bare websocket round trip", "p50"),
    share("p99, against a bare websocket round trip", "p99", 3),
    decision(100),
    decision(crowd),
    row({
      group: "relay",
      name: `decision time with ${crowd} terminals, p99`,
      value: many.decide.p99,
      unit: "ms",
      most: 5,
    }),
    row({ group: "relay", name: "memory for each of 100 terminals", value: seen[100].bytesEach / 1_024, unit: "KiB" }),
    row({
      group: "relay",
      name: `memory for each of ${crowd} terminals`,
      value: many.bytesEach / 1_024,
      unit: "KiB",
      most: 64,
    }),
    row({
      group: "relay",
      name: `terminals of ${crowd} lost in three heartbeats`,
      value: crowd - many.live,
      unit: "",
      most: 0,
    }),
    row({
      group: "relay",
      name: `processor with ${crowd} terminals' heartbeats`,
      value: many.processorShare,
      unit: "%",
    }),
    row({
      group: "terminal part",
      name: "a key press, median",
      value: keys.ours / 1_000,
      baseline: keys.bare / 1_000,
      unit: "µs",
    }),
  ];
}
