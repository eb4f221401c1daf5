import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import devices from "./devices.json" with { type: "json" };
import { NONE, type Section } from "./page.ts";

/** A device, as its paper or its data sheet describes it. */
interface Device {
  readonly name: string;
  /** Whose numbers it measured. */
  readonly of: string;
  readonly processors: string;
  readonly shared: string;
  /** Theoretical bandwidth of its memory in GB/s. */
  readonly peak: number | null;
  readonly source: string;
}

/** The devices of the papers, and ours whose data sheets state the bandwidth, by the names that their drivers report. */
const { theirs: THEIRS, ours: OURS } = devices as Readonly<Record<"theirs" | "ours", readonly Device[]>>;
/** The papers' GPU. Podlozhnyuk and Hardavellas print no measurement. */
const GTX_580 = THEIRS[0]!;

/** The place of the test kernel among the numbers of Table 2. */
const TEST = "test kernel, GB/s";

/** Theoretical bandwidth of the papers' GPU, in GB/s. */
export const PEAK_THEN: number = GTX_580.peak!;

/** Finds the data sheet of the device that measured a backend's rows; null if none is known. */
function deviceOf({ sources, backend }: Measured): Device | null {
  if (backend === "piscina") return null;
  // Dawn's adapter names are lower case with hyphens: "nvidia-h200 (NVIDIA: …)".
  const plain = (name: string) =>
    name
      .replace(/ \(.*\)$/, "")
      .replaceAll("-", " ")
      .toLowerCase();
  const names = sources
    .filter(({ name }) => name.startsWith(`${backend}-`))
    .map(({ results }) => plain(results.machine.gpu ?? ""));
  const found = OURS.filter(({ name }) => names.includes(plain(name)));
  return found.length === 1 ? found[0]! : null;
}

/** Finds the theoretical bandwidth of the device that measured a backend's rows; null if no data sheet is known. */
export function peakOf(measured: Measured): number | null {
  return deviceOf(measured)?.peak ?? null;
}

const numberOf = (found: number | null): string => (found === null ? NONE : digits(found));

/** Compares the papers' hardware with that of the files which the figures and the page have read. */
export function hardware(backends: readonly Measured[]): Section {
  const used = new Set(backends.flatMap((measured) => [...measured.used]));
  const sources = backends[0]!.sources.filter(({ name }) => used.has(name));
  const gpus = [...new Set(sources.map(({ results }) => results.machine.gpu).filter((gpu) => gpu !== null))];
  const known = OURS.filter(({ name }) => gpus.includes(name));
  const cpus = sources
    .filter(({ results }) => results.machine.gpu === null)
    .map(({ results: { machine } }) => `${machine.cpu}, ${machine.cores} cores`);
  const rows = [...THEIRS, ...known].map(({ name, of, processors, shared, peak, source }) => [
    name,
    of,
    processors,
    shared,
    numberOf(peak),
    numberOf(readThen(name) ?? readNow(backends, name)),
    source,
  ]);
  const ours = [...new Set(cpus)].map((name) => [
    name,
    "ours, workers",
    NONE,
    NONE,
    NONE,
    NONE,
    "the result files",
  ]);
  const factors = known.map(
    ({ name, peak }) =>
      `The ${name}'s memory is ${digits(peak! / PEAK_THEN)} times as fast as that of the ${GTX_580.name}.`,
  );
  return {
    id: "hardware",
    title: "The hardware then and now",
    text: factors,
    table: {
      columns: [
        "device",
        "whose numbers",
        "processors",
        "shared memory per multiprocessor",
        "memory, peak GB/s",
        "memory, measured GB/s",
        "source",
      ],
      rows: [...rows, ...ours],
      numbers: [4, 5],
    },
  };
}

/** Returns the fastest read of a device's memory through any backend. */
function readNow(backends: readonly Measured[], name: string): number | null {
  const found = backends
    .filter((measured) => deviceOf(measured)?.name === name)
    .map(readOf)
    .filter((speed) => speed !== null);
  return found.length === 0 ? null : Math.max(...found);
}

/** Returns the paper's own test of bandwidth, for the device that it tested. */
function readThen(name: string): number | null {
  const test = numbersOf("xu", "table-2", "device").find(({ x }) => x === TEST);
  return name === GTX_580.name && test !== undefined ? test.y : null;
}

/** Returns the fastest kernel of ours that only reads, on a backend's device; null if none was measured. */
export function readOf(measured: Measured): number | null {
  const rows = measured.rowsOf(
    `${measured.backend}-algorithms`,
    ({ peer, devices = 1 }) => peer === "read" && devices === 1,
  );
  return rows.length === 0 ? null : Math.max(...rows.map(({ gbps }) => gbps));
}
