import { createJournal } from "../../../../src/server/journal/journal.ts";
import { startTogether } from "../../files/programs/start-together.ts";

// Writes so many decisions of one session, in bursts.
const [stateDir = "", sessionID = "", lines = "0"] = process.argv.slice(2);
const journal = createJournal({ stateDir, log: (line) => console.log(line), pid: process.pid });
await startTogether();
for (let at = 0; at < Number(lines); at += 1) {
  const title = `${sessionID} ${"t".repeat(100)}`;
  journal.append(
    { at, alert: "done", sessionID, outcome: "silent", reason: "no-real-work", channels: [], title },
    { wall: Date.now() },
  );
  if (at % 100 === 0) await journal.flush();
}
await journal.flush();
