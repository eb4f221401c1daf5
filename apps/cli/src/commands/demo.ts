import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Backend, type Countable, type Histogram, isPolybinError, openEngine } from "@polybin/core";
import { decode, type Picture } from "@polybin/pictures";
import { agree } from "../agree.ts";
import { BACKEND_IDS, backendOf } from "../backends.ts";
import { panels, stdoutPage } from "../output/chart.ts";
import { plural, printable, throughput, whole } from "../output/words.ts";
import { write } from "../output/write.ts";
import type { Channel } from "../result.ts";

/** Runs of each backend; the fastest is shown, so that a cold start does not pass for its speed. */
const RUNS = 5;
const SAMPLE: URL = new URL("../../sample/evening.png", import.meta.url);

/** What the demonstration counts. */
interface Inputs {
  /** The running Node's own executable, in memory that workers can share. */
  readonly bytes: Uint8Array;
  readonly picture: Picture;
}

/** What one backend made of it. */
interface Outcome {
  readonly id: string;
  readonly device: string;
  readonly algorithm: string;
  readonly bytes: Histogram;
  readonly picture: readonly Histogram[];
  readonly bytesMs: number;
  readonly pictureMs: number;
}

/** A backend that does not work here, and why. */
interface Absent {
  readonly id: string;
  readonly reason: string;
}

/**
 * `polybin` without arguments: real bytes and a picture on every backend that works here, checked against each
 * other bin by bin. The process exits with 1 if two disagree.
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
  await write(report(inputs, outcomes, absent, differing));
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

function report(
  { bytes, picture }: Inputs,
  outcomes: readonly Outcome[],
  absent: readonly Absent[],
  differing: readonly Outcome[],
): string {
  const page = stdoutPage();
  const first = outcomes[0]!;
  const channels = picture.names.map((name, i): Channel => ({ name, histogram: first.picture[i]! }));
  const size = `${picture.width} x ${picture.height}`;
  return [
    `The bytes of ${printable(basename(process.execPath))} ${process.version}, the program that runs this (${whole(bytes.length)} of them)`,
    "",
    ...panels([{ name: "values", histogram: first.bytes }], page),
    `The sample picture ${basename(SAMPLE.pathname)}, ${size} pixels`,
    "",
    ...panels(channels, page),
    ...table(outcomes, absent, bytes.length, picture.data.byteLength),
    "",
    differing.length === 0
      ? `${plural(outcomes.length, "backend")} agree${outcomes.length === 1 ? "s" : ""} on every bin.`
      : `DISAGREEMENT: ${differing.map(({ id }) => id).join(", ")} counted otherwise than ${first.id}.`,
    "",
  ].join("\n");
}

function table(
  outcomes: readonly Outcome[],
  absent: readonly Absent[],
  bytes: number,
  pictureBytes: number,
): string[] {
  const rows = outcomes.map(({ id, device, algorithm, bytesMs, pictureMs }) => [
    id,
    device,
    algorithm,
    throughput(bytes, bytesMs),
    throughput(pictureBytes, pictureMs),
  ]);
  const all = [["backend", "device", "algorithm", "bytes", "picture"], ...rows];
  const ids = absent.map(({ id }) => id.length);
  const widths = all[0]!.map((_, column) =>
    Math.max(...(column === 0 ? ids : []), ...all.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  return [...all.map(line), ...absent.map(({ id, reason }) => line([id, `not here: ${reason}`]))];
}
