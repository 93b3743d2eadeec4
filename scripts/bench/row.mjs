/**
 * One line of the table. `value` and `baseline` are in `unit`; `most` is the target for `value`, `mostRatio` the one
 * for value ÷ baseline. A row without a target informs only.
 */
export function row({ group, name, value, unit, baseline, most, mostRatio, note }) {
  const ratio = baseline ? value / baseline : undefined;
  const misses = (most !== undefined && value > most) || (mostRatio !== undefined && !(ratio <= mostRatio));
  const hasTarget = most !== undefined || mostRatio !== undefined;
  return {
    group,
    name,
    value,
    unit,
    ...(baseline !== undefined && { baseline, ratio }),
    ...(most !== undefined && { most }),
    ...(mostRatio !== undefined && { mostRatio }),
    verdict: hasTarget ? (misses ? "missed" : "met") : "informs",
    ...(note && { note }),
  };
}

/** What could not be measured here, and why. */
export function absent(group, name, why) {
  return { group, name, verdict: "not measured", note: why };
}

export function table(rows) {
  const head = ["what", "value", "baseline", "ratio", "target", "verdict"];
  const lines = rows.map((line) => [
    `${line.group}: ${line.name}`,
    amount(line.value, line.unit),
    amount(line.baseline, line.unit),
    line.ratio === undefined ? "" : `${short(line.ratio)}×`,
    [
      line.most === undefined ? "" : `≤ ${amount(line.most, line.unit)}`,
      line.mostRatio === undefined ? "" : `≤ ${line.mostRatio}×`,
    ]
      .filter(Boolean)
      .join(", "),
    line.note ? `${line.verdict} (${line.note})` : line.verdict,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column].length)));
  const print = (cells) =>
    cells
      .map((cell, column) =>
        column === 0 || column === 5 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join("  ")
      .trimEnd();
  return [print(head), print(widths.map((width) => "─".repeat(width))), ...lines.map(print)].join("\n");
}

function amount(value, unit) {
  return value === undefined ? "" : `${short(value)} ${unit}`;
}

function short(value) {
  if (value === 0) return "0";
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
