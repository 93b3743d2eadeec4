import { inChild } from "./in-child.mjs";
import { row } from "./row.mjs";

/** A bare handler costs a few nanoseconds: the median comes from batches, the 99th percentile from single calls. */
export async function rows({ doors }) {
  const cost = await inChild("event-cost", { args: [doors.server] });
  const line = (name, kind, share, most, mostRatio) =>
    row({
      group: "1.18 event hook",
      name,
      value: cost[`ours ${kind}`][share] / 1000,
      baseline: cost[`bare ${kind}`][share] / 1000,
      unit: "µs",
      most,
      mostRatio,
    });
  return [
    line("ignored event, median", "ignored batch", "p50", 1, 3),
    line("ignored event, p99", "ignored", "p99", 20),
    line("relevant event, median", "relevant", "p50"),
    line("relevant event, p99", "relevant", "p99", 100),
  ];
}
