import { mkdtempSync, rmSync, statSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cpu, openEngine } from "@polybin/core";
import { PEERS } from "../peers/process.ts";
import { Bench } from "../runner/bench.ts";
import { commitOf } from "../runner/machine.ts";
import { cellKey, dataName, lateLine, nameOf } from "../runner/names.ts";
import { progressLine } from "../runner/progress.ts";
import { Report } from "../runner/report.ts";
import type { Machine, Results, Row } from "../runner/row.ts";
import { LEAST_ROUNDS } from "../runner/turns.ts";
import { fingerprintsOf } from "../sources/fingerprints.ts";
import { type Cell, dataKey } from "./cell.ts";
import { checkFile, defaultFile, readResults } from "./files.ts";
import { measureGroup } from "./group.ts";
import { inProcess } from "./in-process.ts";
import type { BenchOptions } from "./options.ts";
import { floatsOf, planCells } from "./plan.ts";
import { type OpenSide, openSides } from "./sides.ts";
import type { Workshop } from "./workshop.ts";

const ROUNDS = { quick: 21, full: 31 };
const CELL_SECONDS = { quick: 0.25, full: 1 };
/** Copies of the data: in memory, in a backend, in a peer's process, and a reserve. */
const COPIES = 4;
/** The largest size of one array in bytes. */
const MOST_BYTES = 2 ** 32;

/** Measures the requested cells into a growing result file, and returns its final content. */
export async function runAxes(options: BenchOptions): Promise<{ results: Results; file: string }> {
  const end = performance.now() + options.budget * 1000;
  const { sides, missing } = await openSides(options.backends);
  const oracle = await openEngine({ backend: cpu() });
  try {
    return await measureOn({ sides, missing, oracle }, options, end);
  } finally {
    const engines = new Set([oracle, ...sides.map(({ engine }) => engine)]);
    for (const engine of engines) await engine.close();
  }
}

/** The open backends, the reasons why others are missing, and the oracle. */
interface Opened extends Pick<Workshop, "sides" | "oracle"> {
  readonly missing: readonly string[];
}

async function measureOn(
  { sides, missing, oracle }: Opened,
  options: BenchOptions,
  end: number,
): Promise<{ results: Results; file: string }> {
  const { quick } = options;
  const gpu = gpuOf(sides);
  const scratch = mkdtempSync(join(tmpdir(), "polybin-bench-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const printed = options.print ? join(scratch, "results.json") : null;
  const file = resolve(options.file ?? printed ?? defaultFile(options, gpu));
  checkFile(file, options.changes === null ? options.compare : [...options.compare, options.changes]);
  const kept = options.resume && statSync(file).size > 0 ? readResults(file) : null;
  const commit = commitOf();
  const report = new Report(file, gpu, { commit, quiet: true });
  if (kept !== null) keep(report, kept, file);
  for (const what of missing) report.miss(what);
  const rounds = ROUNDS[quick ? "quick" : "full"];
  const cellSeconds = CELL_SECONDS[quick ? "quick" : "full"];
  // The workshop limits the time of all backends' cells together.
  const limits = {
    rounds,
    budget: Number.POSITIVE_INFINITY,
    bytes: 2 ** 28,
    cellSeconds,
    leastRounds: LEAST_ROUNDS,
  };
  const benches = new Map<string, Bench>();
  for (const { id, engine, target } of sides) {
    if (target) benches.set(id, new Bench({ target, engine, oracle, report }, limits));
  }
  const floats = floatsOf(quick, sides.find(({ id }) => id === "webgpu")?.pace ?? "gpu");
  const limited = { rounds, cellSeconds, floats, end, silent: new Set<string>() };
  const shop: Workshop = { sides, benches, oracle, report, scratch, ...limited };
  try {
    const peers = PEERS.filter((peer) => {
      const why = options.peers.includes(peer.name) && peer.absent(scratch);
      if (why) report.miss(`${peer.name}: ${why}`);
      return why === null;
    });
    const mostBytes = Math.min(MOST_BYTES, 2 ** Math.floor(Math.log2(freemem() / COPIES)));
    const planned = await planCells(sides, peers, { ...options, mostBytes });
    for (const what of planned.missing) report.miss(what);
    const known = new Set(report.rows.map(cellKey));
    const cells = planned.cells.filter((cell) => !known.has(cellKey(cell)));
    await measureAll(shop, cells.filter(isFirst));
    await inProcess(shop, options);
    await measureAll(
      shop,
      cells.filter((cell) => !isFirst(cell)),
    );
  } finally {
    report.save();
  }
  return { results: report.results(), file };
}

/** Whether a cell belongs to the line of all contestants. Peers within this process come after that line. */
function isFirst({ sweep }: Cell): boolean {
  return sweep === "distributions" || sweep === "chosen";
}

/** Measures group by group, the most important first, and records cells that ran out of time. */
async function measureAll(shop: Workshop, cells: readonly Cell[]): Promise<void> {
  using progress = progressLine();
  const start = performance.now();
  let done = 0;
  for (const group of Map.groupBy(cells, dataKey).values()) {
    if (performance.now() >= shop.end) {
      shop.report.missing.push(...group.map(lateLine));
      continue;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    progress.show(
      `bench: ${done} of ${cells.length} cells, ${seconds} s: ${dataName(group[0]!)}: ${group.map(nameOf).join("; ")}`,
    );
    try {
      await measureGroup(shop, group);
    } catch (error) {
      shop.report.miss(`${dataName(group[0]!)}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
    done += group.length;
  }
}

/** Returns the GPU's name, or "SwiftShader" if all backends run on it. */
function gpuOf(sides: readonly OpenSide[]): string | null {
  const real = sides.find(({ pace }) => pace === "gpu");
  if (real !== undefined) return real.engine.device;
  return sides.every(({ pace }) => pace === "software") && sides.length > 0 ? "SwiftShader" : null;
}

/** Keeps the rows of an earlier run of the same commit on the same machine. */
function keep(report: Report, old: Results, file: string): void {
  const now = report.results();
  const same = old.commit === now.commit && sameMachine(old.machine, now.machine);
  if (same) report.rows.push(...old.rows.filter((row) => isFresh(row, old)));
  else
    process.stderr.write(
      `bench: ${file} comes from another commit or machine, so every cell is measured again\n`,
    );
}

/** Whether a row was measured with the current code. Hashes decide, because a commit with changes is ambiguous. */
function isFresh({ backend, algorithm }: Row, { sources }: Results): boolean {
  if (backend === null || algorithm === null || sources === undefined) return true;
  const now = fingerprintsOf([{ backend, algorithm }]);
  return JSON.stringify(now?.[backend]?.[algorithm]) === JSON.stringify(sources[backend]?.[algorithm]);
}

function sameMachine(a: Machine, b: Machine): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
