import type { SampleType, SegmentsInit } from "@polybin/core";
import type { CaseRequest } from "../case.ts";
import { Random } from "../random.ts";
import { ALIKE, AXES } from "../request/axes.ts";
import {
  type Column,
  type How,
  type Over,
  PLAIN,
  type Request,
  type Select,
  type Weighing,
} from "../request/request.ts";
import { countedPixels, type Data, type Form, isRead, isStream } from "../request/samples.ts";
import { endsOf } from "../rules.ts";
import type { Step, TableOf } from "./step.ts";

/** Types of equal width, which a memory could mistake for each other. */
const WIDTHS: readonly (readonly SampleType[])[] = [
  ["u8", "i8"],
  ["u16", "i16", "f16"],
  ["u32", "i32", "f32"],
  ["f64", "i64", "u64"],
];
const SIZES: readonly number[] = [0, 1, 63, 64, 64, 65, 100, 100, 255, 256, 257];
const LONGER: readonly number[] = [1000, 1001, 5000];
/** More bytes than any device counts on the calling thread, most of the time. */
const LARGE = 150_001;
/** Samples over which an algorithm is often asked for by name. The CPU simulates the algorithms of GPUs thread by thread. */
const SIMULATED = 257;
/** Cells that devices count at most in a request, so that a step takes a millisecond. */
const MOST_CELLS = 2 ** 16;
/** Steps that have the same few types, sizes and axes, so that one step often differs from an earlier one in one part. */
const SCENE = 200;
const FORMS: readonly Form[] = [
  ...(["array", "array", "array", "array", "array", "unaligned", "shared", "allocated"] as const),
  ...(["resident", "resident", "resident", "Blob", "uneven pieces"] as const),
];
/** Forms of masks, groups and weights. */
const OTHERS: readonly Form[] = ["array", "array", "array", "array", "resident", "Blob"];

interface Scene {
  readonly types: readonly SampleType[];
  readonly sizes: readonly number[];
  readonly axes: readonly number[];
  readonly counters: readonly Request[];
  readonly tables: readonly TableOf[];
}

/** Generates requests, the same ones for the same seed and backend. */
export class Requests {
  readonly #random: Random;
  readonly #backend: CaseRequest;
  #scene: Scene | null = null;
  #left = 0;

  constructor(seed: number, backend: CaseRequest) {
    this.#random = new Random(seed);
    this.#backend = backend;
  }

  next(): Step {
    if (this.#left-- === 0 || this.#scene === null) {
      this.#scene = this.#newScene();
      this.#left = SCENE;
      // A scene begins on the engine that the others used, or on another one.
      if (this.#chance(4)) return { kind: "reopen" };
    }
    return this.#chance(40) ? this.#together() : this.#step();
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#random.below(of.length)]!;
  }

  /** Returns true once in `n` times. */
  #chance(n: number): boolean {
    return this.#random.below(n) === 0;
  }

  #seed(): number {
    return this.#random.below(2);
  }

  #newScene(): Scene {
    const types = [...this.#width(), this.#pick(this.#width())];
    const some = [this.#pick(SIZES), this.#pick(SIZES)];
    // Large samples take as long as a hundred small ones.
    const sizes = this.#chance(50)
      ? [...some, ...some, ...some, LARGE]
      : [...some, this.#pick(this.#chance(5) ? LONGER : SIZES)];
    const alike = this.#pick(ALIKE);
    const axes = Array.from({ length: 6 }, (_, i) =>
      i < 4 ? this.#pick(alike) : this.#random.below(AXES.length),
    );
    const scene = { types, sizes, axes, counters: [], tables: [] };
    this.#scene = scene;
    const tables = Array.from({ length: 2 }, () => this.#table());
    return { ...scene, counters: Array.from({ length: 4 }, () => this.#counter()), tables };
  }

  /** Types of one width. Those of 16 bits are rarer: engines make a table of 65,536 entries for each axis. */
  #width(): readonly SampleType[] {
    const types = this.#pick(WIDTHS);
    return types[0] === "u16" && !this.#chance(12) ? WIDTHS[0]! : types;
  }

  #step(): Step {
    const at = this.#random.below(100);
    if (at < 68) return { kind: "ask", request: this.#request(), aborted: this.#chance(45) };
    if (at < 90) return this.#counting();
    if (at < 92) return this.#sums();
    if (at < 94) return { kind: "extent", data: { ...this.#data(), form: "array" } };
    if (at < 98) {
      const request = { ...PLAIN, columns: [this.#column(this.#axis(), { form: "array" })] };
      return {
        kind: at < 96 ? "explain" : "wrong",
        request,
        how: this.#how(request.columns[0]!.data.pixels),
      };
    }
    return { kind: "release", data: { ...this.#data(), form: "resident" } };
  }

  /** Calls that are made before any of them has ended. Memory of the engine is not for two at once. */
  #together(): Step {
    const steps = Array.from({ length: 2 + this.#random.below(4) }, (): Step => {
      return { kind: "ask", request: unallocated(this.#request(), true), aborted: false };
    });
    return { kind: "together", steps };
  }

  /** A request for one column, for each channel, for segments or for several columns. */
  #request(): Request {
    const at = this.#random.below(67);
    const request =
      at < 45 ? this.#one() : at < 53 ? this.#each() : at < 62 ? this.#segments() : this.#joint();
    return unallocated(request, false);
  }

  #data(changes: Partial<Data> = {}): Data {
    const { types, sizes } = this.#scene!;
    const form = this.#pick(FORMS);
    const pixels = this.#pick(sizes);
    const hasRows = this.#chance(8) && !isRead(changes.form ?? form);
    return {
      type: this.#pick(types),
      pixels,
      channels: this.#chance(3) ? 1 + this.#random.below(4) : 1,
      seed: this.#seed(),
      // A stream of many pieces takes as long as many requests.
      form: isRead(form) && pixels > SIMULATED ? "array" : form,
      picture: hasRows
        ? {
            width: this.#pick([4, 8, 10]),
            padding: this.#pick([0, 8]),
            part: this.#pick(["all", "inner"] as const),
          }
        : null,
      ...changes,
    };
  }

  #column<O extends Over>(over: O, changes: Partial<Data> = {}): Column & { readonly over: O } {
    const data = this.#data(changes);
    return { data, channel: this.#random.below(data.channels), over };
  }

  #axis(): Over & { readonly axis: number } {
    return { axis: this.#pick(this.#scene!.axes), anew: this.#chance(3) };
  }

  /** An axis, or bins over a range that the call gives or the data have. A stream is read only once. */
  #over({ form }: Data): Over {
    if (!this.#chance(6)) return this.#axis();
    const bins = this.#pick([1, 2, 3, 16, 256]);
    const range = this.#pick([[1, 3], [0, 16], [0, 3], "data"] as const);
    return { bins, range: isStream(form) && range === "data" ? [0, 16] : range };
  }

  #how(pixels: number): How | null {
    const { algorithms } = this.#backend;
    if (!this.#chance(pixels > SIMULATED ? 250 : 25) || algorithms.length === 0) return null;
    const algorithm = this.#pick(algorithms);
    return { algorithm: algorithm.slug, parameters: this.#chance(2) ? {} : this.#pick(endsOf(algorithm)) };
  }

  #select(n: number): Select {
    const form = this.#chance(2) ? "bits" : this.#pick(OTHERS);
    return {
      mask: this.#chance(2) ? { seed: this.#seed(), form } : null,
      where: this.#chance(3) ? { seed: this.#seed(), length: this.#pick([0, 1, 64, 1 + 2 * n]) } : null,
    };
  }

  #by(): Request["rows"] {
    const type = this.#pick(["u8", "u16", "i32"] as const);
    return { by: { seed: this.#seed(), groups: this.#pick([1, 2, 3, 7]), type, form: this.#pick(OTHERS) } };
  }

  /** Weights whose sums are exact in doubles, most of the time in memory. */
  #weights(once: number): Weighing | null {
    if (!this.#chance(once)) return null;
    const type = this.#pick(["f32", "f64"] as const);
    return {
      ...{ seed: this.#seed(), type, of: "eighths", form: this.#pick(OTHERS), channels: 1 },
      ...{ squares: this.#chance(2), precision: "reproducible" },
      ...(this.#chance(4) && { more: this.#random.below(3) }),
    };
  }

  #one(): Request {
    const data = this.#data();
    const column = { data, channel: this.#random.below(data.channels), over: this.#over(data) };
    const isSelected = this.#chance(4);
    const weights = this.#weights(10);
    return {
      ...PLAIN,
      columns: [column],
      select: isSelected ? this.#select(countedPixels(data)) : PLAIN.select,
      rows: isSelected && this.#chance(3) ? this.#by() : null,
      weights,
      how: weights !== null || isSelected || isRead(data.form) ? null : this.#how(data.pixels),
    };
  }

  #each(): Request {
    const data = this.#data({ channels: 1 + this.#random.below(4) });
    const channels = Array.from({ length: data.channels }, (_, i) => i).filter(() => !this.#chance(3));
    const some = channels.length === 0 ? [data.channels - 1] : channels;
    const isOwn = this.#chance(3) && !isRead(data.form);
    const over = this.#over(data);
    const how = isOwn || isRead(data.form) ? null : this.#how(data.pixels);
    const columns = (this.#chance(2) ? some.toReversed() : some).map((channel) => {
      return { data, channel, over: isOwn ? this.#axis() : over };
    });
    return { ...PLAIN, as: isOwn ? "each own" : "each", columns, how };
  }

  #segments(): Request {
    const column = this.#column(this.#axis());
    const n = countedPixels(column.data);
    const cuts: readonly SegmentsInit[] = [
      { every: this.#pick([1 + (n >> 2), 7 + (n >> 4), n + 1]) },
      { offsets: [0, n >> 1, n >> 1, n] },
      { offsets: [n >> 2, n >> 1, n - (n >> 3)] },
      ...(column.data.picture === null
        ? []
        : [{ tiles: { width: this.#pick([2, 3, 5]), height: this.#pick([1, 4]) } }]),
    ];
    const weights = this.#weights(10);
    const select = this.#chance(4) ? this.#select(n) : PLAIN.select;
    return {
      ...PLAIN,
      columns: [column],
      select,
      rows: { cut: this.#pick(cuts), leave: weights === null && this.#chance(4) },
      weights,
    };
  }

  #joint(): Request {
    const columns = this.#columns(this.#chance(4) ? 3 : 2);
    const n = countedPixels(columns[0]!.data);
    const isSelected = this.#chance(3);
    return {
      ...PLAIN,
      columns,
      select: isSelected ? this.#select(n) : PLAIN.select,
      rows: isSelected && this.#chance(3) ? this.#by() : null,
      weights: this.#weights(6),
    };
  }

  /** Columns of equal length and with few cells. Some are channels of one input. */
  #columns(count: number): readonly Column[] {
    const first = this.#column(this.#axis());
    const { pixels, picture } = first.data;
    const columns: Column[] = [];
    let cells = 1;
    for (let k = 0; k < count; k++) {
      const other = this.#chance(3)
        ? { data: first.data, channel: this.#random.below(first.data.channels), over: this.#axis() }
        : this.#column(this.#axis(), {
            pixels,
            picture,
            ...(picture === null ? {} : { form: "array" as const }),
          });
      const { over, ...column } = k === 0 ? first : other;
      const isSmall = AXES[over.axis]!().bins <= 17 && cells * cellsOn(over.axis) <= MOST_CELLS;
      const axis = isSmall ? over.axis : 0;
      cells *= cellsOn(axis);
      columns.push({ ...column, over: { ...over, axis } });
    }
    return columns;
  }

  /** Everything that a counter is prepared with: channels, one column or several, and groups or weights. */
  #counter(): Request {
    const named = this.#chance(4) ? { bins: this.#pick([2, 16]), range: [0, 16] as const } : this.#axis();
    const data = this.#data({ form: "array" });
    const how = this.#how(Math.max(...this.#scene!.sizes));
    const kind = this.#random.below(4);
    const all = Array.from({ length: data.channels }, (_, i) => i).toReversed();
    if (kind < 2)
      return { ...PLAIN, as: "each", columns: all.map((channel) => ({ data, channel, over: named })), how };
    if (kind === 2) return { ...PLAIN, columns: [this.#column(named, { ...data })], how };
    const columns = this.#columns(2);
    const rows = this.#chance(2) ? this.#by() : null;
    return { ...PLAIN, columns, rows, weights: rows === null ? this.#weights(3) : null };
  }

  /** A counter's request over other samples, with another selection. */
  #counted(of: Request): Request {
    const { pixels, picture, form } = this.#data();
    const isMemory = isRead(form);
    const own = { pixels, picture, seed: this.#seed(), form: isMemory ? "array" : form } as const;
    const made = new Map<Data, Data>();
    for (const { data } of of.columns) if (!made.has(data)) made.set(data, { ...data, ...own });
    const columns = of.columns.map((column) => ({ ...column, data: made.get(column.data)! }));
    // A counter of columns has axes.
    const hasAxes = of.columns.every(({ over }) => "axis" in over);
    const isSelected = of.as === "list" && of.how === null && hasAxes && this.#chance(6);
    const select = isSelected ? this.#select(countedPixels(columns[0]!.data)) : of.select;
    return { ...of, columns, select };
  }

  #counting(): Step {
    const of = this.#pick(this.#scene!.counters);
    const way = this.#pick(["count", "countSync", "countAll", "accumulate", "accumulate"] as const);
    const first = this.#counted(of);
    if (this.#chance(8)) return { kind: this.#chance(4) ? "free" : "take", of: first };
    if (way === "countSync" && (first.weights !== null || readsPieces(first))) return this.#counting();
    if (way !== "countAll")
      return { kind: "counter", way, requests: [unallocated(first, first.columns.length > 1)] };
    const more = Array.from({ length: this.#random.below(4) }, () => ({
      ...this.#counted(of),
      select: first.select,
    }));
    const requests = [first, ...more].map((one) => unallocated({ ...one, select: PLAIN.select }, true));
    return { kind: "counter", way, requests };
  }

  #table(): TableOf {
    const type = this.#pick(["u8", "u16"] as const);
    const bins = Array.from({ length: 1 + this.#random.below(3) }, () => this.#pick([2, 3, 16, 256]));
    return { type, documents: this.#pick([1, 64, 300]), bins, seed: this.#seed() };
  }

  #sums(): Step {
    const { weighted } = this.#backend;
    if (weighted.length === 0) return { kind: "ask", request: this.#request(), aborted: false };
    return {
      kind: "sums",
      table: this.#pick(this.#scene!.tables),
      weights: this.#seed(),
      documents: this.#chance(3) ? this.#seed() : null,
      counts: !this.#chance(3),
      squares: this.#chance(2),
      skip: this.#chance(3),
      algorithm: this.#chance(2) ? "auto" : this.#pick(weighted),
    };
  }
}

/** Returns about the number of cells that devices count for an axis. A circular one has those of many turns. */
function cellsOn(index: number): number {
  const { type, bins } = AXES[index]!();
  return type === "circular" ? 256 : bins;
}

function readsPieces({ select: { mask }, rows }: Request): boolean {
  const forms = [mask?.form, rows !== null && "by" in rows ? rows.by.form : undefined];
  return forms.some((form) => form !== undefined && form !== "bits" && isRead(form));
}

/** Moves samples out of the engine's memory, which has room for one input at a time. */
function unallocated(request: Request, all: boolean): Request {
  const first = request.columns[0]!.data;
  const made = new Map<Data, Data>();
  for (const { data } of request.columns) {
    const isMoved = data.form === "allocated" && (all || data !== first);
    made.set(data, isMoved ? { ...data, form: "array" } : data);
  }
  return {
    ...request,
    columns: request.columns.map((column) => ({ ...column, data: made.get(column.data)! })),
  };
}
