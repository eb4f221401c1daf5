import { availableParallelism } from "node:os";
import { native } from "@polybin/native";
import { ownPeer, PEERS, type Peer, type PeerJob } from "../../peers/process.ts";
import type { Report } from "../../runner/report.ts";
import type { Call, Row } from "../../runner/row.ts";
import { bytesOf, type Case, type Cell, type Field } from "./cases.ts";

/** A program that takes part in some cells of a case. */
export interface Contestant {
  readonly name: string;
  /** The fields of its rows that describe it. */
  readonly row: Pick<Row, "peer" | "variant" | "threads" | "memory">;
  readonly fields: readonly Field[];
  /** The most bytes that it counts, because it is slow. */
  readonly most?: number;
  /** The ways in which it is called. */
  readonly calls: readonly Call[];
  /** Whether it counts without the weights of its case. */
  readonly isPlain?: boolean;
  start(): Peer;
}

const EVERY: readonly Field[] = ["all", "few", "large", "alone", "task"];
const LARGE: readonly Field[] = ["all", "large", "alone"];
const MIB = 2 ** 20;
/** The threads of this machine, and the numbers of threads that are compared. */
const ALL: number = availableParallelism();
const DOUBLINGS = [...new Set([1, 2, 4, 8, 16, 32, ALL])].filter((threads) => threads <= ALL);

/** Lists the contestants of a case that are available. The report names the others, with the reason. */
export async function contestantsOf(of: Case, report: Report, scratch: string): Promise<Contestant[]> {
  return [...(await own(of, report, scratch)), ...peers(of, report, scratch)];
}

/** Makes the job of all contestants. */
function jobOf(of: Case, scratch: string, words: readonly string[]): PeerJob {
  const { shape, bins, wanted, columns, edges, weighted, groups, streamed } = of;
  const shared = [
    ...(shape.channels > 1 ? [`channels=${shape.channels}`, `wanted=${wanted}`] : []),
    ...(columns > 1 ? [`columns=${columns}`] : []),
    ...(edges === undefined ? [] : [`edges=${edges.join()}`]),
    ...(weighted ? ["weights"] : []),
    ...(groups === undefined ? [] : [`groups=${groups}`]),
    ...(streamed ? ["streamed"] : []),
  ];
  return {
    ...{ file: fileOf(scratch), n: 0, type: shape.type, bins, lo: shape.low ?? 0, hi: shape.top },
    words: [...shared, ...words],
  };
}

/** The file of the samples. By its name, polybin reads it as one of NumPy. */
export function fileOf(scratch: string): string {
  return `${scratch}/samples.npy`;
}

interface Own {
  readonly backend: "cpu" | "native" | "piscina";
  readonly threads: number;
  readonly fields: readonly Field[];
  readonly calls: readonly Call[];
  readonly memory?: "shared";
  readonly precision?: "fast";
  readonly isPlain?: boolean;
}

async function own(of: Case, report: Report, scratch: string): Promise<Contestant[]> {
  const found = await native().probe();
  if (!found.available) report.missOnce(`native: ${found.reason}`);
  // Weights are added up by awaited calls only.
  const both: readonly Call[] = of.weighted ? ["count"] : ["countSync", "count"];
  const some = of.weighted
    ? weightedOwn()
    : [
        { backend: "cpu", threads: 1, fields: ["all", "few", "large", "task"], calls: both } as const,
        ...DOUBLINGS.map((threads) => {
          const isEnd = threads === 1 || threads === ALL;
          const [fields, calls] = isEnd ? [EVERY, both] : [LARGE, ["count"] as const];
          return { backend: "native", threads, fields, calls } as const;
        }),
        ...[...new Set([1, Math.min(2, ALL), ALL])].map((threads) => {
          return { backend: "piscina", threads, fields: ["all", "large"], calls: ["count"] } as const;
        }),
        ...[...new Set([1, Math.min(2, ALL)])].map((threads) => {
          const [fields, calls] = [["all"], ["count"]] as const;
          return { backend: "piscina", threads, fields, calls, memory: "shared" } as const;
        }),
        { backend: "native", threads: ALL, fields: ["all"], calls: ["count"], memory: "shared" } as const,
      ];
  return some
    .filter(({ backend }) => backend !== "native" || found.available)
    .map((one: Own) => ownOf(one, of, scratch));
}

/** Weights added up exactly and in floats, and the same samples counted without them. */
function weightedOwn(): Own[] {
  const ways = [{}, { precision: "fast" }, { isPlain: true }] as const;
  const threads = [...new Set([1, ALL])];
  return [
    ...threads.flatMap((count) =>
      ways.map(
        (way): Own => ({ backend: "native", threads: count, fields: EVERY, calls: ["count"], ...way }),
      ),
    ),
    ...ways.map((way): Own => ({ backend: "cpu", threads: 1, fields: EVERY, calls: ["count"], ...way })),
  ];
}

function ownOf(one: Own, of: Case, scratch: string): Contestant {
  const { backend, threads, fields, calls, memory, precision, isPlain } = one;
  const words = [
    ...[`backend=${backend}`, `threads=${threads}`],
    ...(memory === undefined ? [] : [`memory=${memory}`]),
    ...(precision === undefined ? [] : [`precision=${precision}`]),
  ];
  const job = jobOf(isPlain ? { ...of, weighted: false } : of, scratch, words);
  return {
    name: `${backend}, ${threads}`,
    row: { peer: null, threads, memory, variant: isPlain ? "counts only" : precision },
    ...{ fields, calls, isPlain: isPlain === true },
    start: () => ownPeer(backend, job),
  };
}

/** Other programs: the name of a kind of peer, its number of threads, and its limits. */
interface Other extends Pick<Contestant, "fields"> {
  readonly kind: string;
  readonly threads: number;
  readonly most?: number;
  readonly variant?: string;
  readonly words?: readonly string[];
  /** Why it cannot count a case. */
  refuses?(of: Case): string | false;
}

const isColumn = ({ columns, weighted, edges, shape, streamed }: Case) =>
  columns === 1 && !weighted && edges === undefined && shape.channels === 1 && !streamed;
const isSimple = (of: Case) => isColumn(of) && of.groups === undefined;
const inMemory = ({ streamed, groups }: Case) =>
  (streamed && "it reads no file of NumPy piece by piece") || (groups !== undefined && "it has no groups");
const ofFloats = (of: Case) =>
  inMemory(of) ||
  ((of.shape.type.startsWith("f") && of.edges === undefined) || of.columns === 2 || of.weighted
    ? false
    : "it takes equal bins of floats only");
const ofOpenCv = (of: Case) =>
  inMemory(of) ||
  (of.weighted || of.edges !== undefined || !["u8", "u16", "f32"].includes(of.shape.type)
    ? "cv2.calcHist takes equal bins of u8, u16 and f32, without weights"
    : false);
const notStreamed = ({ streamed }: Case) => streamed === true && "it reads no file of NumPy piece by piece";

const OTHERS: readonly Other[] = [
  { kind: "c", threads: 1, fields: EVERY, refuses: inMemory },
  { kind: "c-threads", threads: ALL, fields: [...LARGE, "task"], refuses: inMemory },
  { kind: "opencv", threads: 1, fields: EVERY, words: ["threads=1"], refuses: ofOpenCv },
  { kind: "opencv", threads: ALL, fields: [...LARGE, "task"], words: [`threads=${ALL}`], refuses: ofOpenCv },
  { kind: "numpy", threads: 1, fields: ["all", "task"], most: 24 * MIB },
  { kind: "fast-histogram", threads: 1, fields: ["all", "few", "task"], most: 24 * MIB, refuses: ofFloats },
  { kind: "js-loop", threads: 1, fields: ["all", "task"], refuses: notStreamed },
  {
    ...{ kind: "d3-array", threads: 1, fields: ["task"] },
    refuses: (of) => !isSimple(of) && "it takes single columns only",
  },
  {
    ...{ kind: "js-loop", threads: 1, fields: ["all", "few", "large"], words: ["checked"] },
    ...{ variant: "checks the range", refuses: (of) => !isSimple(of) && "its plain loop checks already" },
  },
  {
    ...{ kind: "duckdb", threads: ALL, fields: ["all", "task"], most: 4 * MIB },
    refuses: (of) => !isColumn(of) && "it is measured on single columns of equal bins",
  },
];

function peers(of: Case, report: Report, scratch: string): Contestant[] {
  const taking = OTHERS.filter(({ fields }) => of.cells.some(({ field }) => fields.includes(field)));
  return taking.flatMap(({ kind: name, threads, fields, most, variant, words = [], refuses }) => {
    const kind = PEERS.find((one) => one.name === name)!;
    const why = refuses?.(of) || kind.absent(scratch);
    if (why) report.missOnce(`${name}, ${of.name}: ${why}`);
    if (why) return [];
    return {
      ...{ name, fields, calls: ["count" as const], row: { peer: name, threads, variant } },
      ...(most !== undefined && { most }),
      start: () => kind.start(jobOf(of, scratch, words), scratch),
    };
  });
}

/** Whether a contestant takes part in a cell. */
export function takesPart(
  { fields, most = Number.POSITIVE_INFINITY }: Contestant,
  of: Case,
  cell: Cell,
): boolean {
  return fields.includes(cell.field) && (cell.field === "task" || bytesOf(of, cell.n) <= most);
}
