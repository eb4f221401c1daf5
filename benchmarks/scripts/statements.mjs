// Writes benchmarks/papers/methods.md and benchmarks/ARTIFACT.md from the papers' statements and the committed report.
// `--check` compares only.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { artifactPage } from "../papers/artifact.ts";
import { FIGURES } from "../papers/figures.ts";
import { ACCOUNTS } from "../papers/statements/index.ts";
import { statementsPage } from "../papers/statements/markdown.ts";

const report = new URL("../papers/report-nvidia-h200/report.json", import.meta.url);
const pages = {
  "papers/methods.md": statementsPage(ACCOUNTS, JSON.parse(readFileSync(report, "utf8")).papers),
  "ARTIFACT.md": artifactPage(FIGURES),
};

for (const [name, text] of Object.entries(pages)) {
  const page = new URL(`../${name}`, import.meta.url);
  if (existsSync(page) && readFileSync(page, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`benchmarks/${name} is not what the statements and the report say: npm run tables`);
    process.exitCode = 1;
  } else {
    mkdirSync(new URL(".", page), { recursive: true });
    writeFileSync(page, text);
  }
}
