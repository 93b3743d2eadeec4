import { inChild } from "./in-child.mjs";
import { row } from "./row.mjs";

/** With a settle window of 0: what we add between the host's event and the channel. */
export async function rows() {
  const took = await inChild("channel");
  const line = (name, kind, share, most) =>
    row({
      group: "event → channel",
      name,
      value: took[kind][share],
      baseline: took[`bare ${kind}`][share],
      unit: "ms",
      most,
    });
  return [
    line("permission, median", "ask", "p50"),
    line("permission, p99", "ask", "p99", 5),
    line("end of real work, median", "end", "p50"),
    line("end of real work, p99", "end", "p99", 5),
    row({
      group: "event → channel",
      name: "end of real work while 200 banners are up, against 3",
      value: took["end among many"].p50,
      baseline: took["first ends"].p50,
      unit: "ms",
      mostRatio: 2,
    }),
  ];
}
