import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isPolybinError, PolybinError } from "@polybin/core";
import { commitOf } from "../src/result.ts";
import type { Evaluated } from "./evaluate.ts";
import { measureHere } from "./here/index.ts";
import { readFolder, type Source } from "./measured.ts";
import { writeReport } from "./report.ts";

const USAGE = `usage: papers [--out DIR] [--from RESULTS-DIR]… [--quick] [--picture FILE]… [--backend cuda|webgpu|piscina]

Every figure and table of the papers beside ours, as README.md, SVG and report.json in DIR (papers-report).
  --from     result files that are there, instead of measuring; several folders are put together
  --quick    less data, fewer rounds
  --picture  another picture for Brown & Snoeyink's Figure 7
  --backend  whose rows are shown, where there are several`;

const options = {
  out: { type: "string", default: "papers-report" },
  from: { type: "string", multiple: true },
  picture: { type: "string", multiple: true },
  backend: { type: "string" },
  quick: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

async function main(): Promise<void> {
  const { values } = parse();
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { quick, picture: pictures = [], from: folders = [] } = values;
  const out = resolve(values.out);
  const tell = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
  };
  const from =
    folders.length > 0 ? folders : [await measureHere({ out, quick, pictures, commit: commitOf(), tell })];
  const figures = await writeReport(out, from.flatMap(sourcesIn), values.backend);
  process.stdout.write(`${figures.map(lineOf).join("\n")}\n${out}/README.md\n`);
}

function parse() {
  try {
    return parseArgs({ options });
  } catch (error) {
    throw new PolybinError("ERR_INPUT", (error as Error).message);
  }
}

function sourcesIn(folder: string): Source[] {
  let found: Source[];
  try {
    found = readFolder(folder);
  } catch (cause) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a folder of result files but received ${folder}: ${(cause as Error).message}`,
    );
  }
  if (found.length > 0) return found;
  throw new PolybinError(
    "ERR_INPUT",
    `expected a folder of result files but received ${folder}, which has none`,
  );
}

/** A figure's verdicts in a line. */
function lineOf({ paper, title, findings }: Evaluated): string {
  const tally = Map.groupBy(findings, ({ verdict }) => verdict);
  const counts = [...tally].map(([verdict, of]) => `${of.length} ${verdict}`).join(", ");
  return `${paper.padEnd(15)} ${title}: ${counts}`;
}

try {
  await main();
} catch (error) {
  const isWrong = isPolybinError(error) && error.code === "ERR_INPUT";
  const line = isPolybinError(error) ? `error[${error.code}]: ${error.message}` : (error as Error).message;
  process.stderr.write(`${line}\n`);
  process.exitCode = isWrong ? 2 : 1;
}
