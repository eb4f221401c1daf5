// Writes the tables of docs/internals/algorithms from core's algorithms, the backends' lists and the algorithms' pages,
// which say what no definition does: how wide the counters are, and whether the data matters. `--check` compares only.
import { readFileSync, writeFileSync } from "node:fs";
import { algorithms, composedAlgorithms, weightedAlgorithms } from "@polybin/core/backend";
import { cuda } from "@polybin/cuda";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";

const folder = new URL("../../../docs/internals/algorithms/", import.meta.url);
const readme = new URL("README.md", folder);
const backends = [native(), piscina(), webgpu(), cuda()];

/** What a page says in the paragraph "**Counters.** … **Depends on the data.** …", or "**Sums.** …". */
function factsOf(slug) {
  const file = new URL(`${slug}.md`, folder);
  const found = /^\*\*(?:Counters|Sums)\.\*\* (.+)\. \*\*Depends on the data\.\*\* (.+)\.$/m.exec(
    readFileSync(file, "utf8"),
  );
  if (!found) {
    throw new Error(`${file.pathname}: expected a line "**Counters.** …. **Depends on the data.** …."`);
  }
  return found.slice(1);
}

const yes = (is) => (is ? "yes" : "");

function row({ slug, title, source, maxBins }) {
  const [counters, data] = factsOf(slug);
  const bins = maxBins === undefined ? [] : [maxBins ?? "any"];
  const has = backends.map(({ algorithms, weighted }) =>
    yes([...algorithms, ...(weighted ?? [])].some((of) => of.slug === slug)),
  );
  return `| ${[`[${slug}](${slug}.md)`, title, counters, ...bins, ...has, data, source].join(" | ")} |`;
}

function table(counters, all) {
  const names = backends.map(({ id }) => id);
  const bins = all[0].maxBins === undefined ? [] : ["bins"];
  const head = ["slug", "idea", counters, ...bins, ...names, "depends on the data", "source"];
  return [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...all.map(row)].join("\n");
}

const tables = {
  algorithms: table("counters", Object.values(algorithms)),
  weighted: table("sums", [...Object.values(weightedAlgorithms), ...Object.values(composedAlgorithms)]),
};
const before = readFileSync(readme, "utf8");
let after = before;
for (const [name, text] of Object.entries(tables)) {
  const [begin, end] = [`<!-- ${name}: made by npm run tables -->`, `<!-- end of ${name} -->`];
  const [from, to] = [after.indexOf(begin), after.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${readme.pathname} has no place for the table ${name}`);
  after = `${after.slice(0, from + begin.length)}\n${text}\n${after.slice(to)}`;
}
if (after !== before) {
  if (process.argv.includes("--check")) {
    console.error("docs/internals/algorithms/README.md is not what the definitions say: npm run tables");
    process.exitCode = 1;
  } else writeFileSync(readme, after);
}
