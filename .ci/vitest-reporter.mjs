// Writes what a vitest run came to into the file that POLYBIN_TEST_SUMMARY names.
import { writeFileSync } from "node:fs";

const fullName = (test) => [test.project.name, test.fullName].filter(Boolean).join(" > ");

export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const summary = { passed: 0, failed: [], skipped: [] };
    for (const module of modules) {
      if (module.errors().length > 0)
        summary.failed.push(`${module.project.name} > ${module.relativeModuleId}`);
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) summary.failed.push(`${fullName(suite)} (the suite itself)`);
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") summary.passed += 1;
        else if (result.state === "failed") summary.failed.push(fullName(test));
        else summary.skipped.push({ name: fullName(test), reason: result.note ?? null });
      }
    }
    for (const error of unhandledErrors) summary.failed.push(`unhandled error: ${error.message}`);
    writeFileSync(process.env.POLYBIN_TEST_SUMMARY, JSON.stringify(summary));
  }
}
