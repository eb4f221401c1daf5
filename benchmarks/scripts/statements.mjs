// Writes benchmarks/papers/methods.md from the papers' statements and the committed report. `--check` compares only.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ACCOUNTS } from "../papers/statements/index.ts";
import { statementsPage } from "../papers/statements/markdown.ts";

const page = new URL("../papers/methods.md", import.meta.url);
const report = new URL("../papers/report-nvidia-h200/report.json", import.meta.url);

const text = statementsPage(ACCOUNTS, JSON.parse(readFileSync(report, "utf8")).papers);
if (!existsSync(page) || readFileSync(page, "utf8") !== text) {
  if (process.argv.includes("--check")) {
    console.error(
      "benchmarks/papers/methods.md is not what the statements and the report say: npm run tables",
    );
    process.exitCode = 1;
  } else {
    mkdirSync(new URL(".", page), { recursive: true });
    writeFileSync(page, text);
  }
}
