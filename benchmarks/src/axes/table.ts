import { median, type Results, type Row, type Spread, spreadsOf } from "../result.ts";
import { nameOf, powerName } from "./cell.ts";

/** One table: contestants down, values of one axis across. */
interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly across: (row: Row) => string;
  /** What else a contestant's line ends with. */
  readonly last?: (rows: readonly Row[]) => string;
}

const CENTRE = { type: "u8", bins: 256, residence: "resident" } as const;

/** A run as people read it: what depends on the data, then the lines through the axes, then what is missing. */
export function textOf(results: Results): string {
  const { machine, commit, rows, missing } = results;
  const measured = rows.filter(({ peer }) => peer !== "read" && peer !== "copy");
  const tables = tablesOf(measured).filter((table) => table.rows.length > 0);
  return [
    `${machine.gpu ?? machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${commit.slice(0, 12)}${commit.endsWith("-dirty") ? " with changes" : ""}`,
    "",
    ...headline(spreadsOf(measured)),
    ...tables.flatMap(draw),
    ...(missing.length === 0 ? [] : ["Missing:", ...shortened(missing).map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

/** How much each algorithm depends on the data. */
function headline(spreads: readonly Spread[]): string[] {
  const of = spreads
    .filter(({ type, residence, peer }) => type === "u8" && residence === "resident" && peer === null)
    .toSorted((a, b) => b.worstOverBest - a.worstOverBest);
  if (of.length === 0) return [];
  const names = of.map(nameOf);
  const width = Math.max(...names.map(({ length }) => length));
  return [
    "Worst over best distribution, bytes in memory (1: the data make no difference)",
    ...of.map(({ worstOverBest, worst, best }, i) =>
      [
        `  ${names[i]!.padEnd(width)}  ${worstOverBest.toFixed(2)}`,
        `${worst.distribution} ${speed(worst.gbps)} … ${best.distribution} ${speed(best.gbps)} GB/s`,
      ].join("   "),
    ),
    "",
  ];
}

function tablesOf(rows: readonly Row[]): Table[] {
  const bytes = rows.filter((row) => isBytes(row));
  const resident = bytes.filter(({ residence }) => residence === "resident");
  const uniform = rows.filter(({ distribution }) => distribution === "uniform");
  const spread = (of: readonly Row[]) => {
    const speeds = of.map(({ gbps }) => gbps);
    return of.length < 2 ? "" : (Math.min(...speeds) / Math.max(...speeds)).toFixed(2);
  };
  const byData = [...Map.groupBy(resident, ({ n }) => n)].filter(
    ([, of]) => new Set(of.map(({ distribution }) => distribution)).size > 1,
  );
  const sizes = uniform.filter(isBytes);
  return [
    ...byData.map(([n, of]): Table => {
      const title = `Distributions: bytes in 256 bins, n = ${powerName(n)}`;
      const many = [...Map.groupBy(of, nameOf).values()].filter((some) => some.length > 1).flat();
      return { title, rows: many, across: ({ distribution }) => distribution, last: spread };
    }),
    ...(["resident", "upload", "file"] as const).map(
      (residence): Table => ({
        title: `Sizes: uniform bytes in 256 bins, ${FROM[residence]}`,
        rows: sizes.filter((row) => row.residence === residence).toSorted((a, b) => a.n - b.n),
        across: ({ n }) => powerName(n),
      }),
    ),
    {
      title: "Types: uniform, 256 bins",
      rows: uniform.filter(({ bins, type, residence }) => bins === 256 && type !== "u8" && residence === "resident"),
      across: ({ type }) => type,
    },
    {
      title: "Bins: uniform 16-bit samples",
      rows: uniform
        .filter(({ type, residence }) => type === "u16" && residence === "resident")
        .toSorted((a, b) => a.bins - b.bins),
      across: ({ bins }) => String(bins),
    },
  ];
}

const FROM = { resident: "in memory, of a GPU its own", upload: "from the host's memory", file: "from a cached file" };

function isBytes({ type, bins, residence }: Row): boolean {
  return type === CENTRE.type && bins === CENTRE.bins && residence !== undefined;
}

const CELL = 9;

function draw({ title, rows, across, last }: Table): string[] {
  const columns = [...new Set(rows.map(across))];
  const lines = [...Map.groupBy(rows, nameOf)].toSorted(
    ([, a], [, b]) => top(b) - top(a),
  );
  const width = Math.max(...lines.map(([name]) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(CELL)).join("")}`.trimEnd();
  return [
    `${title}: GB/s, medians`,
    line("", [...columns, ...(last ? ["worst/best"] : [])].map((name) => ` ${name}`)),
    ...lines.map(([name, of]) =>
      line(name, [
        ...columns.map((column) => {
          const row = of.find((one) => across(one) === column);
          return row === undefined ? "-" : speed(row.gbps);
        }),
        ...(last ? [last(of)] : []),
      ]),
    ),
    "",
  ];
}

function top(rows: readonly Row[]): number {
  return median(rows.map(({ gbps }) => gbps));
}

/** Three significant digits. */
function speed(gbps: number): string {
  return gbps >= 100 ? gbps.toFixed(0) : gbps.toPrecision(3);
}

const MOST_LINES = 24;

/** What is missing for one reason, in one line; past a screenful the file tells. */
function shortened(missing: readonly string[]): string[] {
  const groups = Map.groupBy(missing, (line) => {
    const [who, ...rest] = line.split(": ");
    return rest.length < 2 ? line : JSON.stringify([who, rest.at(-1)]);
  });
  const lines = [...groups].map(([key, of]) => {
    if (of.length === 1) return of[0]!;
    const [who, why] = JSON.parse(key) as [string, string];
    return `${who}: ${of.length} cells: ${why}`;
  });
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), `and ${rest} more: see "missing" in the file`];
}
