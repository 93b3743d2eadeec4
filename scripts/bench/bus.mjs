import process from "node:process";
import { inChild } from "./in-child.mjs";
import { absent, row } from "./row.mjs";

export async function rows() {
  const group = "banner → bytes at the daemon";
  const took = await inChild("bus", { env: { PATH: process.env.PATH ?? "" } });
  if (took.missing) return [absent(group, "D-Bus", `needs the Debian package ${took.missing}`)];
  const line = (name, share) => row({ group, name, value: took.ours[share], baseline: took.bare[share], unit: "ms" });
  return [line("median, against a bare D-Bus call", "p50"), line("p99, against a bare D-Bus call", "p99")];
}
