import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Backend, type Countable, type Histogram, isPolybinError, openEngine } from "@polybin/core";
import { decode, type Picture } from "@polybin/pictures";
import { wrapAnsi } from "fast-wrap-ansi";
import { plural, printable, throughput, whole } from "../base/index.ts";
import { BACKEND_IDS, backendOf, briefReason } from "../engine/index.ts";
import { DEFAULT_VIEW } from "../options/index.ts";
import { type Channel, panelsOf } from "../output/index.ts";
import { stdoutPage, write } from "../terminal/index.ts";
import { agree } from "./agree.ts";

/** Runs of each backend. The fastest is shown, so that a cold start is not taken for its speed. */
const RUNS = 5;
const SAMPLE: URL = new URL("../../sample/evening.png", import.meta.url);

/** The inputs of the demonstration. */
interface Inputs {
  /** The executable of the running Node, in memory that workers can share. */
  readonly bytes: Uint8Array;
  readonly picture: Picture;
}

/** The results and times of one backend. */
interface Outcome {
  readonly id: string;
  readonly device: string;
  readonly algorithm: string;
  readonly bytes: Histogram;
  readonly picture: readonly Histogram[];
  readonly bytesMs: number;
  readonly pictureMs: number;
}

/** A backend that does not work here. */
interface Absent {
  readonly id: string;
  readonly reason: string;
}

/**
 * `polybin demo`, and `polybin` without arguments: counts real bytes and a picture on every backend that works here, and compares the results
 * bin by bin. The process exits with 1 if two disagree.
 */
export async function demo(signal: AbortSignal): Promise<void> {
  const inputs = await load();
  const outcomes: Outcome[] = [];
  const absent: Absent[] = [];
  for (const id of BACKEND_IDS) {
    signal.throwIfAborted();
    try {
      outcomes.push(await run(await backendOf(id), inputs, signal));
    } catch (error) {
      if (!isPolybinError(error) || error.code !== "ERR_UNAVAILABLE") throw error;
      absent.push({ id, reason: error.message });
    }
  }
  const first = outcomes[0]!;
  const differing = outcomes.filter((outcome) => !agree(histogramsOf(first), histogramsOf(outcome)));
  if (differing.length > 0) process.exitCode = 1;
  await write(await report(inputs, outcomes, absent, differing));
}

async function load(): Promise<Inputs> {
  const [executable, picture] = await Promise.all([readFile(process.execPath), decode(SAMPLE)]);
  const bytes = new Uint8Array(new SharedArrayBuffer(executable.length));
  bytes.set(executable);
  return { bytes, picture };
}

async function run(backend: Backend, { bytes, picture }: Inputs, signal: AbortSignal): Promise<Outcome> {
  await using engine = await openEngine({ backend });
  const best = async (input: Countable) => {
    let found: Histogram[] = [];
    let ms = Infinity;
    for (let i = 0; i < RUNS; i++) {
      const start = performance.now();
      found = await engine.histograms(input, { signal });
      ms = Math.min(ms, performance.now() - start);
    }
    return { found, ms };
  };
  const ofBytes = await best(bytes);
  const ofPicture = await best(picture);
  return {
    id: engine.backend,
    device: engine.device,
    algorithm: ofBytes.found[0]!.algorithm ?? "",
    bytes: ofBytes.found[0]!,
    picture: ofPicture.found,
    bytesMs: ofBytes.ms,
    pictureMs: ofPicture.ms,
  };
}

function histogramsOf({ bytes, picture }: Outcome): readonly Histogram[] {
  return [bytes, ...picture];
}

async function report(
  { bytes, picture }: Inputs,
  outcomes: readonly Outcome[],
  absent: readonly Absent[],
  differing: readonly Outcome[],
): Promise<string> {
  const page = stdoutPage();
  const first = outcomes[0]!;
  const channels = picture.names.map((name, i): Channel => ({ name, histogram: first.picture[i]! }));
  const size = `${picture.width} x ${picture.height}`;
  const wrapped = (text: string) => wrapAnsi(text, page.width);
  return [
    wrapped(
      `The ${whole(bytes.length)} bytes of ${printable(basename(process.execPath))} ${process.version}, which runs this command`,
    ),
    "",
    ...(await panelsOf([{ name: "values", histogram: first.bytes }], DEFAULT_VIEW, page)),
    wrapped(`The sample picture ${basename(SAMPLE.pathname)}, ${size} pixels`),
    "",
    ...(await panelsOf(channels, DEFAULT_VIEW, page)),
    ...table(outcomes, bytes.length, picture.data.byteLength, page.width),
    ...absent.map(({ id, reason }) => wrapped(`${id}: ${printable(briefReason(id, reason))}`)),
    ...(absent.length > 0 ? ["polybin backends --verbose says what helps."] : []),
    "",
    differing.length === 0
      ? `${plural(outcomes.length, "backend")} agree${outcomes.length === 1 ? "s" : ""} on every bin.`
      : `DISAGREEMENT: ${differing.map(({ id }) => id).join(", ")} counted differently from ${first.id}.`,
    "",
  ].join("\n");
}

/** The throughput of each backend. Leaves out the last columns on a narrow terminal. */
function table(outcomes: readonly Outcome[], bytes: number, pictureBytes: number, width: number): string[] {
  const rows = [
    ["backend", "bytes", "picture", "algorithm", "device"],
    ...outcomes.map(({ id, device, algorithm, bytesMs, pictureMs }) => [
      id,
      throughput(bytes, bytesMs),
      throughput(pictureBytes, pictureMs),
      algorithm,
      printable(device),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const ends = widths.map((_, column) =>
    widths.slice(0, column + 1).reduce((sum, wide) => sum + wide + 2, -2),
  );
  const shown = Math.max(3, ends.filter((end) => end <= width).length);
  return rows.map((row) =>
    row
      .slice(0, shown)
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
