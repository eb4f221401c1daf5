// Writes the results of a package's vitest run to the summary of its tier.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { TIERS } from "./tiers.mjs";

const { name: packageName } = JSON.parse(readFileSync("package.json", "utf8"));
/** The longest text of an error in the summary, in characters. */
const LONGEST = 600;
const failure = (name, errors) => ({
  name,
  error: String(errors[0]?.message ?? "no message").slice(0, LONGEST),
});
const fullName = (test) => `${packageName} > ${test.fullName}`;

export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const summary = { passed: 0, failed: [], skipped: [] };
    for (const module of modules) {
      if (module.errors().length > 0) {
        summary.failed.push(failure(`${packageName} > ${module.relativeModuleId}`, module.errors()));
      }
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) {
          summary.failed.push(failure(`${fullName(suite)} (the suite itself)`, suite.errors()));
        }
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") summary.passed += 1;
        else if (result.state === "failed") {
          summary.failed.push(failure(fullName(test), result.errors ?? []));
        } else summary.skipped.push({ name: fullName(test), reason: result.note ?? null });
      }
    }
    if (unhandledErrors.length > 0) {
      summary.failed.push(failure(`${packageName} (unhandled error)`, unhandledErrors));
    }
    const file = TIERS[process.env.npm_lifecycle_event].summary;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...summary, ended: Date.now() }));
  }
}
