import { inChild } from "./in-child.mjs";
import { percentile } from "./percentile.mjs";
import { row } from "./row.mjs";

const rounds = 15;

/** The doors load their host line at its first call, so that is measured too. A fresh Node each time; the doors and an empty module take turns, so that a busy moment hits all alike. */
export async function rows({ doors }) {
  const samples = { empty: [], server: [], tui: [], started: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of Object.entries({ empty: "data:text/javascript,", ...doors })) {
      samples[name].push(await inChild("import-once", { args: [url] }));
    }
    samples.started.push(await inChild("import-once", { args: [doors.server, "server"] }));
  }
  const baseline = percentile(samples.empty, 0.5);
  const line = (name, what, most) =>
    row({
      group: "import",
      name: `${what}, median of ${rounds}`,
      value: percentile(samples[name], 0.5),
      unit: "ms",
      baseline,
      most,
    });
  return [
    line("server", "server entry", 40),
    line("started", "server entry and its first `server()`", 40),
    line("tui", "terminal entry"),
  ];
}
