import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SLUGS, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { type Bench, withBench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { provenance } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { Report } from "../runner/report.ts";
import { TARGETS, type Target } from "../runner/target.ts";
import { type Fingerprints, fingerprintsOf } from "../sources/fingerprints.ts";
import { HOST_SUITES, hostMain, PAPER_SUITES } from "../suites/host.ts";
import { SUITES } from "../suites/index.ts";
import { probe } from "../suites/table1.ts";
import { type Probed, probeSums } from "../suites/weighted-counters.ts";
import { conformance } from "./conformance.ts";
import { latency } from "./latency.ts";

/** Suites for `--backend piscina`. */
const ON_CPU = { ...HOST_SUITES, ...PAPER_SUITES };

const USAGE = `usage: run axes [options of \`polybin bench\`]
       run bench SUITE… [--backend cuda|webgpu|piscina] [--out DIR] [--budget SECONDS] [--rounds N] [--gib N] [--calls N] [--pictures DIR]
       run bench cpu|tasks [--quick] [--only CASES] [--out DIR] [--budget SECONDS]
       run table1 [--out DIR] [--budget SECONDS]
       run conformance [--backend cuda|webgpu] [--size full] [--topic NAME] [--runs RANDOM-INPUTS] [--seed N] [--out DIR]
       run latency [--devices N]
       run provoke
${Object.entries({ ...SUITES, piscina: ON_CPU })
  .map(([id, suites]) => `suites of ${id}: ${Object.keys(suites).join(", ")}`)
  .join("\n")}`;

/** Seconds after which no further cell of a GPU begins. */
const BUDGET = "540";

const options = {
  backend: { type: "string", default: "cuda" },
  out: { type: "string", default: "." },
  budget: { type: "string" },
  rounds: { type: "string", default: "21" },
  gib: { type: "string", default: "1" },
  calls: { type: "string", default: "1000000" },
  size: { type: "string" },
  topic: { type: "string" },
  runs: { type: "string" },
  seed: { type: "string" },
  devices: { type: "string", default: "1" },
  distribution: { type: "string", default: "uniform" },
  cell: { type: "string", default: '{"algorithm":"per-lane"}' },
  sums: { type: "string" },
  pictures: { type: "string" },
  only: { type: "string" },
  quick: { type: "boolean", default: false },
} as const;

/** Runs the commands of the bundle for a GPU machine. Its `axes` is `polybin bench`. */
export async function gpuMain(args: readonly string[]): Promise<void> {
  if (args[0] === "axes") {
    const { bench } = await import("../axes/main.ts");
    return bench(args.slice(1));
  }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, ...names] = positionals;
  // These suites choose what counts themselves.
  if (command === "bench" && (values.backend === "piscina" || ["cpu", "tasks"].includes(names.join()))) {
    const unknown = names.find((name) => ON_CPU[name] === undefined);
    if (unknown !== undefined) return wrongUse(`unknown suite of the CPU: ${unknown}\n${USAGE}`);
    mkdirSync(values.out, { recursive: true });
    const { out, budget, only, quick } = values;
    return hostMain(names, [
      ...["--out", out],
      ...(budget === undefined ? [] : ["--budget", budget]),
      ...(only === undefined ? [] : ["--only", only]),
      ...(quick ? ["--quick"] : []),
    ]);
  }
  const target = TARGETS[values.backend];
  if (target === undefined) return wrongUse(`unknown backend: ${values.backend}\n${USAGE}`);
  if (command === "conformance") {
    const result = await conformance(target, {
      size: values.size === "full" ? "full" : "small",
      ...(values.runs === undefined ? {} : { numRuns: positive(values.runs) }),
      ...(values.seed === undefined ? {} : { seed: positive(values.seed) }),
      ...(values.topic === undefined ? {} : { filter: ({ topic }) => topic === values.topic }),
    });
    mkdirSync(values.out, { recursive: true });
    const file = join(values.out, `conformance-${target.id}.json`);
    writeFileSync(
      file,
      `${JSON.stringify({ ...provenance(), ...sourcesOf(target.id), ...result }, null, 1)}\n`,
    );
    if (result.failed > 0) process.exitCode = 1;
  } else if (command === "bench" && names.length > 0) {
    await runSuites(target, names, values);
  } else if (command === "table1") {
    await runSuites(target, ["table1"], values);
  } else if (command === "latency") {
    console.log(JSON.stringify(await latency(positive(values.devices)), null, 1));
  } else if (command === "probe") {
    await probeOnce(target, JSON.parse(values.cell) as Cell, values);
  } else {
    wrongUse(USAGE);
  }
}

/** Fingerprints of all algorithms of a backend, on which its conformance depends. */
function sourcesOf(backend: Target["id"]): { readonly sources?: Fingerprints } {
  const sources = fingerprintsOf([...SLUGS, ...WEIGHTED_SLUGS].map((algorithm) => ({ backend, algorithm })));
  return sources === undefined ? {} : { sources };
}

interface Values {
  readonly out: string;
  readonly budget?: string | undefined;
  readonly rounds: string;
  readonly gib: string;
  readonly calls: string;
  readonly distribution: string;
  readonly sums?: string | undefined;
  readonly pictures?: string | undefined;
}

/** Runs each suite into its own file. */
async function runSuites(target: Target, names: readonly string[], values: Values): Promise<void> {
  const suites = SUITES[target.id];
  const unknown = names.find((name) => suites[name] === undefined);
  if (unknown !== undefined) return wrongUse(`unknown suite: ${unknown}\n${USAGE}`);
  mkdirSync(values.out, { recursive: true });
  for (const name of names) {
    const start = performance.now();
    console.log(`== ${name}`);
    await onTarget(target, values, join(values.out, `${target.id}-${name}.json`), async (bench) => {
      await suites[name]!(bench);
      bench.report.save();
      print(bench.report.results());
    });
    console.log(`== ${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
}

function probeOnce(target: Target, cell: Cell, values: Values): Promise<void> {
  const { sums, distribution } = values;
  return onTarget(target, values, "/dev/null", (bench) =>
    sums === undefined ? probe(bench, cell, distribution) : probeSums(bench, JSON.parse(sums) as Probed),
  );
}

function onTarget(
  target: Target,
  { pictures, ...values }: Values,
  file: string,
  use: (bench: Bench) => Promise<void>,
): Promise<void> {
  const [rounds, budget, gib, calls] = (["rounds", "budget", "gib", "calls"] as const).map((name) =>
    positive(values[name] ?? BUDGET),
  ) as [number, number, number, number];
  // Whole mebibytes, a multiple of every tile of sorted samples.
  const bytes = Math.ceil(gib * 2 ** 10) * 2 ** 20;
  const options = { rounds, budget, bytes, calls, pictures };
  return withBench(target, options, (device) => new Report(file, device), use);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`expected a number above 0 but received ${text}`);
  return value;
}

function wrongUse(line: string): void {
  console.error(line);
  process.exitCode = 2;
}
