// Writes the pages docs/reference/combinations.md and docs/internals/combinations.md from the parts and refusals of the
// suite's combinations, and from what an engine explains. `--check` compares only.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { category, circular, cpu, integer, openEngine } from "@polybin/core";
import { kindsOf } from "@polybin/core/backend";
import { PARTS } from "../dist/combinations/parts.js";
import { RULES } from "../dist/combinations/refusals.js";

const docs = new URL("../../../docs/", import.meta.url);

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Names of the parts in the table. The other parts are those of a second column, and algorithms. */
const NAMES = {
  columns: "columns",
  type: "type of the samples",
  axis: "axis",
  layout: "layout of the samples",
  input: "where the samples are",
  mask: "mask",
  list: "list of indices",
  rows: "rows",
  storage: "weights",
  way: "call",
};

const axis = integer(0, 16);
const bytes = { type: "u8", axis };
const floats = { type: "f32", axis };
const segments = { every: 1000 };
const by = { type: "u8", groups: 3 };
const two = { columns: [bytes, floats] };

/** Requests over a million samples. */
const REQUESTS = {
  "one column": bytes,
  "channels of one input": { ...bytes, channels: 3 },
  "an axis of categories": { ...bytes, axis: category([3, 1, 7]) },
  "a circular axis of bytes": { ...bytes, axis: circular(8, 24) },
  "a circular axis of f32": { type: "f32", axis: circular(8, 24) },
  "64-bit integers": { type: "i64", axis },
  "two columns": two,
  "a mask": { ...bytes, mask: true },
  "a mask of two columns": { ...two, mask: "bits" },
  "a list of indices": { ...bytes, where: true },
  groups: { ...bytes, by },
  "groups of two columns, with a mask": { ...two, by, mask: true },
  segments: { ...bytes, segments },
  "segments with a mask": { ...bytes, segments, mask: true },
  "segments of two columns": { ...two, segments: { every: 100_000 } },
  "segments with more cells than an axis has bins": { ...two, segments },
  weights: { ...bytes, weights: "f64" },
  "weights of two columns": { ...two, weights: "f64" },
  "weights of groups, with a mask": { ...bytes, by, mask: true, weights: "f32" },
  "weights of segments, with a mask": { ...bytes, segments, mask: true, weights: "f64" },
};

const KERNELS = {
  channels: "one column",
  cells: "several columns",
  sums: "sums",
};

/** Core's own device, as if it had kernels of some kinds only. */
function having(kinds) {
  const backend = cpu();
  const open = async () => {
    const device = await backend.open();
    return new Proxy(device, {
      get(of, name) {
        const value = name === "kinds" ? kinds(kindsOf(of)) : Reflect.get(of, name);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  };
  return { ...backend, open };
}

/** Returns who counts each request: the kernels, and the work of the calling thread. */
async function explained(kinds) {
  const engine = await openEngine({ backend: having(kinds) });
  const all = [];
  for (const request of Object.values(REQUESTS)) {
    const { plan, host } = await engine.explain({ ...request, samples: 1_000_000 });
    const isCut = plan?.kind === "channels" && plan.segments;
    const kernels = plan === null ? "none" : isCut ? "segments" : KERNELS[plan.kind];
    all.push([kernels, host.join("; ").replaceAll(`${engine.backend} `, "the device ") || "nothing"]);
  }
  await engine.close();
  return all;
}

const withAll = await explained((kinds) => kinds);
const withOne = await explained((kinds) => kinds.filter((kind) => kind === "channels" || kind === "sums"));

const whys = (some) =>
  RULES.filter(some).map(({ why, code }) => [`${why}`, ...(code === null ? [] : [`\`${code}\``])]);
const list = (rows) => rows.map(([why]) => `- ${why}`).join("\n");

const REFERENCE = `# Combinations

A request has four parts that do not know of each other: columns, a selection, rows, and what a cell stores. Any choice of one part goes with any choice of the others, in every call. [The conformance suite](../internals/combinations.md) counts each pair of values on every backend, and \`npm run tables\` writes this page from it.

## What counts where

A device has kernels for one column, for several columns, for segments and for sums. The calling thread prepares the other requests, one step before. The table is for a million samples. \`engine.explain\` says it for a request of yours, in \`host\`.

${table(
  ["request", "kernels", "prepared on the calling thread"],
  Object.keys(REQUESTS).flatMap((name, i) =>
    withAll[i].at(-1) === "nothing" ? [] : [[name, ...withAll[i]]],
  ),
)}

Nothing is prepared for these:

${Object.keys(REQUESTS)
  .filter((_, i) => withAll[i].at(-1) === "nothing")
  .map((name) => `- ${name}`)
  .join("\n")}

## What is refused

On every device:

${table(
  ["why", "code"],
  whys(({ code, ofDevice }) => code !== null && !ofDevice),
)}

By some devices, with a sentence that names the reason:

${table(
  ["why", "code"],
  whys(({ ofDevice }) => ofDevice),
)}

No call has arguments for these:

${list(whys(({ code }) => code === null))}
`;

const INTERNALS = `# Combinations that the suite counts

\`npm run tables\` writes this page from the cases of [\`@polybin/conformance\`](../../packages/conformance/README.md) and from what an engine explains. The suite counts each pair of these values on every backend, and compares every number with an independent definition. [Combinations](../reference/combinations.md) says what is refused.

${table(
  ["part", "choices"],
  Object.entries(NAMES).map(([part, name]) => [name, PARTS[part].map((value) => `\`${value}\``).join(", ")]),
)}

The backends of this repository have all kernels. A backend of your own may have kernels for one column only. Then more is prepared on the calling thread:

${table(
  ["request", "kernels", "prepared on the calling thread"],
  Object.keys(REQUESTS).flatMap((name, i) =>
    String(withOne[i]) === String(withAll[i]) ? [] : [[name, ...withOne[i]]],
  ),
)}
`;

for (const [path, text] of [
  ["reference/combinations.md", REFERENCE],
  ["internals/combinations.md", INTERNALS],
]) {
  const page = new URL(path, docs);
  const before = existsSync(page) ? readFileSync(page, "utf8") : "";
  if (before === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`docs/${path} is not what the suite says: npm run tables`);
    process.exitCode = 1;
  } else writeFileSync(page, text);
}
