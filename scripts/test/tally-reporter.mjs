// A vitest reporter that writes what scripts/test.mjs prints at the end: how many passed, failed and were skipped, and which were skipped.
import { writeFileSync } from "node:fs";
import process from "node:process";

export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.BECKON_TALLY;
    if (!file) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (...states) => tests.filter((test) => states.includes(test.result().state));
    const brokenFiles = modules.filter((module) => module.errors().length > 0);
    const tally = {
      passed: inState("passed").length,
      failed: inState("failed", "pending").length + brokenFiles.length + unhandledErrors.length,
      skipped: inState("skipped").map((test) => ({ file: test.module.relativeModuleId, title: test.fullName })),
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}
