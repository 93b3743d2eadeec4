import { saveConfig } from "../../../../src/server/config/save.ts";
import { startTogether } from "../../files/programs/start-together.ts";

// Saves the numbers 1 to `times` under one key, again and again.
const [path = "", section = "", key = "", times = "0"] = process.argv.slice(2);
await startTogether();
for (let value = 1; value <= Number(times); value += 1) {
  const saved = await saveConfig({ path, patch: { alerts: { [section]: { [key]: value } } } });
  if (!saved.ok) throw new Error(saved.error.message);
  if (!JSON.stringify(saved.value.config).includes(`"${key}":${value}`)) throw new Error(`lost ${value}`);
}
