import { inChild } from "./in-child.mjs";
import { percentile } from "./percentile.mjs";
import { row } from "./row.mjs";

export async function rows({ doors }) {
  const runs = [];
  for (let run = 0; run < 5; run += 1) runs.push(await inChild("dispose", { args: [doors.server] }));
  const left = [...new Set(runs.flatMap((run) => run.left))];
  const took = percentile(
    runs.map((run) => run.tookMs),
    0.5,
  );
  return [
    row({ group: "dispose", name: "50 asks and 50 ends in their settle windows", value: took, unit: "ms", most: 20 }),
    row({
      group: "dispose",
      name: "handles left that keep Node alive",
      value: left.length,
      unit: "",
      most: 0,
      note: left.join(" "),
    }),
  ];
}
