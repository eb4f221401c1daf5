// Rewrites the documents' figures from the result files (pnpm run figures). A test fails if one is outdated.
import { readFileSync, writeFileSync } from "node:fs";
import { DOCUMENTS } from "../src/tables/documents.ts";
import { withFigures } from "../src/tables/figures.ts";

for (const { path, up } of DOCUMENTS) {
  const text = readFileSync(path, "utf8");
  const now = withFigures(text, up);
  if (now === text) continue;
  writeFileSync(path, now);
  console.log(path);
}
