import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isPolybinError, PolybinError } from "@polybin/core";
import { repeatedOption } from "../src/command/once.ts";
import { printable } from "../src/command/printable.ts";
import { commitOf } from "../src/runner/machine.ts";
import { progressLine } from "../src/runner/progress.ts";
import { BACKENDS, hasFiles, readFolder, type Shown, type Source } from "./measured.ts";
import { type Compared, LABELS } from "./sides.ts";

const USAGE = `Usage: polybin papers [options]

Writes one page about the papers' numbers and ours, with every figure and table, and SVG and report.json.

  --out DIR       folder of the pictures and of report.json (default: papers-report)
  --page FILE     file of the page (default: README.md in that folder)
  --from DIR      use the result files in this folder instead of measuring; repeat it for several folders
  --mode MODE     demo: the CPU's figures with little data, in less than two minutes; partial: all figures of this
                  machine with less data; full: all figures (default)
  --picture PATH  add a picture, or all pictures of a folder, to Brown & Snoeyink's Figure 7; repeatable
  --backend ID    show only the rows of cuda, webgpu or piscina, if --from has rows of several
  --help          print this help

--mode and --picture measure, so they cannot be combined with --from.

Examples:
  # a first report of this machine's CPU
  polybin papers --mode demo
  # a report of results that exist
  polybin papers --from benchmarks/results/nvidia-h200 --out report`;

const options = {
  out: { type: "string", default: "papers-report" },
  page: { type: "string" },
  from: { type: "string", multiple: true },
  picture: { type: "string", multiple: true },
  backend: { type: "string" },
  mode: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

async function main(): Promise<void> {
  const { values } = parse();
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const out = resolve(values.out);
  const page = resolve(values.page ?? join(out, "README.md"));
  if (existsSync(page) && !statSync(page).isFile())
    throw wrong(`expected a file for --page but received ${page}, which is a folder`);
  const backend = backendOf(values);
  const sources =
    values.from === undefined ? await measured(out, values) : given(values.from, values, backend);
  makeFolder(out);
  // Plots and backends load late, so that wrong options are reported at once.
  const { writeReport } = await import("./report.ts");
  const figures = await writeReport(sources, { folder: out, page, ...(backend && { backend }) });
  process.stdout.write(`${figures.map(lineOf).join("\n")}\n${printable(page)}\n`);
}

type Values = ReturnType<typeof parse>["values"];

/** Measures on this machine and returns its result files. Wrong options are reported before. */
async function measured(out: string, { mode = "full", picture = [], backend }: Values): Promise<Source[]> {
  if (backend !== undefined)
    throw wrong("expected --from together with --backend, which chooses among its files");
  const { MODES, measureHere } = await import("./here/index.ts");
  const known = MODES.find((name) => name === mode);
  if (known === undefined)
    throw wrong(`expected --mode ${MODES.join("|")} but received ${JSON.stringify(mode)}`);
  const { decodeAll } = await import("./here/pictures.ts");
  const pictures = (await Promise.all(picture.map(decodeAll))).flat();
  makeFolder(out);
  using progress = progressLine();
  const folder = await measureHere({ out, mode: known, pictures, commit: commitOf(), tell: progress.show });
  return sourcesIn(folder);
}

/** Reads existing result files. */
function given(folders: readonly string[], { mode, picture }: Values, backend?: Shown): Source[] {
  if (mode !== undefined || picture !== undefined) {
    throw wrong(`expected --from without ${mode === undefined ? "--picture" : "--mode"}, which measures`);
  }
  const sources = folders.flatMap(sourcesIn);
  if (backend === undefined || hasFiles(sources, backend)) return sources;
  throw wrong(`expected files of ${backend} in --from, such as ${backend}-trish.json, but found none`);
}

function backendOf({ backend }: Values): Shown | undefined {
  const found = BACKENDS.find((id) => id === backend);
  if (backend === undefined || found !== undefined) return found;
  throw wrong(`expected --backend ${BACKENDS.join("|")} but received ${JSON.stringify(backend)}`);
}

function makeFolder(out: string): void {
  try {
    mkdirSync(out, { recursive: true });
  } catch (cause) {
    throw wrong(`expected a folder for --out but received ${out}: ${(cause as Error).message}`);
  }
}

function wrong(message: string): PolybinError {
  return new PolybinError("ERR_INPUT", message);
}

function parse() {
  const found = known();
  const repeated = repeatedOption(found.tokens, ["from", "picture"]);
  if (repeated !== null) throw wrong(`expected --${repeated} once but received it again`);
  return found;
}

function known() {
  try {
    return parseArgs({ options, tokens: true });
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

function sourcesIn(folder: string): Source[] {
  let found: Source[];
  try {
    found = readFolder(folder);
  } catch (cause) {
    throw wrong(`expected a folder of result files but received ${folder}: ${(cause as Error).message}`);
  }
  if (found.length > 0) return found;
  throw wrong(`expected a folder of result files but received ${folder}, which has none`);
}

/** Lists a figure's verdicts in one line, by column. */
function lineOf(compared: Compared): string {
  const counts = compared.sides.map(({ id, of: { findings } }) => {
    const tally = Map.groupBy(findings, ({ verdict }) => verdict);
    return `${LABELS[id]} ${[...tally].map(([verdict, of]) => `${of.length} ${verdict}`).join(", ")}`;
  });
  const { paper, title } = compared.main;
  return `${paper.padEnd(15)} ${title}: ${counts.join("; ")}`;
}

try {
  await main();
} catch (error) {
  const isWrong = isPolybinError(error) && error.code === "ERR_INPUT";
  const line = isPolybinError(error) ? `error[${error.code}]: ${error.message}` : (error as Error).message;
  process.stderr.write(`${printable(line)}\n`);
  process.exitCode = isWrong ? 2 : 1;
}
