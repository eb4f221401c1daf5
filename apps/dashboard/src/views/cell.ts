import { dot, ruleY } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  BASES,
  type Basis,
  basisName,
  exactness,
  figure,
  kindOf,
  median,
  memoryOf,
  nameOf,
  onBasis,
  percent,
  programOf,
  type Row,
  residenceName,
  sizeOf,
  whole as wholeFile,
} from "../data/index.ts";
import {
  absent,
  axisOf,
  type Context,
  chart,
  chosen,
  colourOf,
  isNarrow,
  linearTicks,
  plain,
  select,
  type View,
} from "../show/index.ts";

/** One cell: every run as measured, and its origin. */
export const cell: View = {
  id: "explore/cell",
  title: "One cell",
  question: "Which runs are behind a number, and where do they come from?",
  about: "Every run of one measured cell, in order. The dashed line is the median.",
  timing: "This view shows every time that the file holds, and names it.",
  reads: "any machine",
  basis: null,
  async render(context) {
    const paths = context.files.filter(({ kind }) => kind === "rows").map(({ path }) => path);
    if (paths.length === 0) return absent("No rows were measured on this machine.");
    const path = chosen(context, "file", paths);
    const rows = context.rows.filter(({ file }) => file.path === path);
    const at = chosen(
      context,
      "row",
      rows.map((row) => String(row.at)),
    );
    const row = rows.find((one) => String(one.at) === at)!;
    const inFile = (await wholeFile(row.file)).rows[row.at]!;
    const { ms, callMs } = inFile;
    const labels = rows.map((one) => ({
      value: String(one.at),
      label: [nameOf(one), kindOf(one), sizeOf(one.n), ...distributionIn(one)].join(", "),
    }));
    const timing = basisName(firstBasis(row));
    const title = [`Every run of ${nameOf(row)}`, kindOf(row), ...distributionIn(row), timing].join(", ");
    const whole = "The whole call on the host's clock, in the same rounds";
    return html`${runs(context, row, { title, ms, basis: timing })}
      ${callMs === undefined ? null : runs(context, row, { title: whole, ms: callMs, basis: basisName("call") })}
      <div class="fields">
        ${select("File", plain(paths), path, (value) => context.select({ file: value, row: null }))}
        ${select("Cell", labels, at, (value) => context.select({ file: path, row: value }))}
      </div>
      <h2>Origin</h2>
      ${provenance(row)}
      <details><summary>The row in the file</summary><pre>${JSON.stringify(inFile, null, 1)}</pre></details>`;
  },
};

/** The distribution, unless the samples have its name. */
const distributionIn = ({ distribution, type }: Row): string[] =>
  distribution === type ? [] : [distribution];

/** One plot of a cell's runs. */
interface Runs {
  readonly title: string;
  readonly ms: readonly number[];
  readonly basis: string;
}

function runs({ width }: Context, { file: source, ...row }: Row, { title, ms, basis }: Runs): TemplateResult {
  const colour = colourOf(programOf(row).id);
  const points = ms.map((value, i) => ({ run: i + 1, value: value * 1000 }));
  const middle = median(ms) * 1000;
  const times = points.map(({ value }) => value);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const runTicks = linearTicks(1, Math.max(ms.length, 2), isNarrow(width) ? 5 : 10).filter(Number.isInteger);
  return chart({
    title,
    ...{ width, source },
    options: {
      height: isNarrow(width) ? 240 : 280,
      marginLeft: 60,
      marginTop: 28,
      x: { domain: [1, Math.max(ms.length, 2)] },
      y: { nice: true },
      marks: [
        ...axisOf("x", runTicks, "run", String),
        ...axisOf("y", linearTicks(least, most, 5), "time, µs", exact),
        ruleY([middle], { stroke: "currentColor", strokeDasharray: "4 3" }),
        dot(points, { x: "run", y: "value", fill: colour, r: 3 }),
      ],
    },
    readings: {
      along: "x",
      points: points.map(({ run, value }) => ({
        name: "time",
        x: run,
        y: value,
        text: `${figure(value)} µs`,
        colour,
      })),
      heading: (run) => `run ${run}`,
    },
    columns: ["run", "µs", "basis"],
    numbers: [0, 1],
    rows: points.map(({ run, value }) => [run, value, basis]),
  });
}

/** Writes a tick with all of its digits: two ticks of a narrow range would round to one number. */
const exact = (tick: number): string => tick.toLocaleString("en", { maximumSignificantDigits: 12 });

/** Lists the throughput of the kernels and of the whole call, as far as the file has both. */
function throughput(row: Row): (readonly [string, string])[] {
  const bases = BASES.flatMap(({ value, label }) => onBasis([row], value).map((one) => ({ label, one })));
  return bases.map(({ label, one }) => [
    `Throughput, ${label.toLowerCase()}`,
    `${figure(one.gbps)} GB/s, ${shareOf(one)}`,
  ]);
}

function shareOf(row: Row): string {
  const memory = memoryOf(row);
  if (row.invalidCeiling) return `faster than the measured ceiling of ${memory}, which is invalid`;
  return row.ceilingPercent === null
    ? `no ceiling of ${memory} in the file`
    : `${percent(row.ceilingPercent)} of the ceiling of ${memory}`;
}

/** The machine's properties, in words. */
const MACHINE: Readonly<Record<string, string>> = {
  cpu: "CPU",
  cores: "Cores",
  gpu: "GPU",
  driver: "Driver",
  node: "Node",
  os: "System",
};

const micro = (ms: number): string => `${figure(ms * 1000)} µs`;

/** The basis of the runs that a file holds as `ms`. */
const firstBasis = (row: Row): Basis => (onBasis([row], "kernel").length > 0 ? "kernel" : "call");

function provenance(row: Row): TemplateResult {
  const { file, weighted } = row;
  const facts: (readonly [string, string])[] = [
    ["What", `${nameOf(row)}${row.variant === undefined ? "" : ` (${row.variant})`}`],
    [
      "Samples",
      [kindOf(row), `${sizeOf(row.n)} of them`, ...distributionIn(row), residenceName(row.residence)].join(
        ", ",
      ),
    ],
    [
      "Median",
      `${micro(row.medianMs)} of ${row.runs} runs, from ${micro(row.leastMs)} to ${micro(row.mostMs)}`,
    ],
    ...(row.p99 === undefined ? [] : [["99th percentile", micro(row.p99)] as const]),
    ...throughput(row),
    [
      "Exact",
      row.exact
        ? "yes: compared with exact counts before it was timed"
        : `not guaranteed: ${exactness([row])}${row.offBy ? ", as a share of its bin's sum of |weight|" : ""}`,
    ],
    ...(weighted?.plans ?? []).map((plan) => ["Plan", plan] as const),
    ["File", `benchmarks/results/${file.path}.json, row ${row.at}`],
    ["Commit", file.commit ?? "unknown"],
    ["Date", file.date ?? "unknown"],
    ...Object.entries(file.machine ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [MACHINE[name] ?? name, String(value)] as const),
  ];
  return html`<dl>${facts.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;
}
