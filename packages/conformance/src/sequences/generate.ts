import type { SampleType, SegmentsInit } from "@polybin/core";
import type { CaseRequest } from "../case.ts";
import { Random } from "../random.ts";
import { endsOf } from "../rules.ts";
import { ALIKE, AXES } from "./axes.ts";
import { countedPixels, type Data, type Form } from "./samples.ts";
import type { ColumnOf, CounterOf, How, Over, Select, Step, TableOf, Weighing } from "./step.ts";

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
/** Cells that devices count at most in a joint request, so that a step takes a millisecond. */
const JOINT_CELLS = 2 ** 16;
/** Steps that have the same few types, sizes and axes, so that one step often differs from an earlier one in one part. */
const SCENE = 200;
const FORMS: readonly Form[] = [
  "array",
  "array",
  "array",
  "unaligned",
  "shared",
  "allocated",
  "resident",
  "resident",
];

interface Scene {
  readonly types: readonly SampleType[];
  readonly sizes: readonly number[];
  readonly axes: readonly number[];
  readonly counters: readonly CounterOf[];
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
    if (at < 45) return this.#histogram();
    if (at < 53) return this.#histograms();
    if (at < 62) return this.#segments();
    if (at < 67) return this.#joint();
    if (at < 88) return this.#counting();
    if (at < 90) return this.#stream();
    if (at < 92) return this.#sums();
    if (at < 94) return { kind: "extent", data: this.#data() };
    if (at < 96) {
      const column = this.#column(this.#axis());
      return { kind: "explain", ...column, how: this.#how(column.data.pixels) };
    }
    if (at < 98) return { kind: "wrong", ...this.#column(this.#over()) };
    return { kind: "release", data: { ...this.#data(), form: "resident" } };
  }

  /** Calls that are made before any of them has ended. Memory of the engine is not for two at once. */
  #together(): Step {
    const makes = [
      () => this.#histogram(),
      () => this.#histograms(),
      () => this.#segments(),
      () => this.#joint(),
    ];
    const steps = Array.from({ length: 2 + this.#random.below(4) }, () => this.#pick(makes)());
    return { kind: "together", steps: steps.map(unallocated) };
  }

  #data(changes: Partial<Data> = {}): Data {
    const { types, sizes } = this.#scene!;
    const channels = this.#chance(3) ? 1 + this.#random.below(4) : 1;
    const picture = this.#chance(8)
      ? {
          width: this.#pick([4, 8, 10]),
          padding: this.#pick([0, 8]),
          inset: this.#pick([0, 1] as const),
        }
      : null;
    return {
      type: this.#pick(types),
      pixels: this.#pick(sizes),
      channels,
      seed: this.#random.below(2),
      form: this.#pick(FORMS),
      picture,
      ...changes,
    };
  }

  #column<O extends Over>(over: O, changes: Partial<Data> = {}): ColumnOf & { readonly over: O } {
    const data = this.#data(changes);
    return { data, channel: this.#random.below(data.channels), over };
  }

  #axis(): Over & { readonly axis: number } {
    return { axis: this.#pick(this.#scene!.axes), anew: this.#chance(3) };
  }

  /** An axis, or bins over a range that the call gives or its data have. */
  #over(): Over {
    if (!this.#chance(6)) return this.#axis();
    const bins = this.#pick([1, 2, 3, 16, 256]);
    const range = this.#pick([[1, 3], [0, 16], [0, 3], "data"] as const);
    return { bins, range };
  }

  #how(pixels: number): How | null {
    const { algorithms } = this.#backend;
    if (!this.#chance(pixels > SIMULATED ? 250 : 25) || algorithms.length === 0) return null;
    const algorithm = this.#pick(algorithms);
    return { algorithm: algorithm.slug, parameters: this.#chance(2) ? {} : this.#pick(endsOf(algorithm)) };
  }

  #select(n: number): Select | null {
    const select = {
      mask: this.#chance(2)
        ? { seed: this.#random.below(2), as: this.#pick(["bytes", "bits"] as const) }
        : null,
      where: this.#chance(3)
        ? { seed: this.#random.below(2), length: this.#pick([0, 1, 64, 1 + 2 * n]) }
        : null,
      by: this.#chance(3)
        ? {
            seed: this.#random.below(2),
            groups: this.#pick([1, 2, 3, 7]),
            type: this.#pick(["u8", "u16", "i32"] as const),
          }
        : null,
    };
    return select.mask === null && select.where === null && select.by === null ? null : select;
  }

  #weights(): Weighing {
    return { seed: this.#random.below(2), bits: this.#pick([32, 64] as const), squares: this.#chance(2) };
  }

  #histogram(): Step {
    const isSelected = this.#chance(4);
    const isWeighed = this.#backend.weighted.length > 0 && this.#chance(10);
    const column = this.#column(isSelected ? this.#axis() : this.#over(), isWeighed ? { form: "array" } : {});
    return {
      kind: "histogram",
      ...column,
      select: isSelected ? this.#select(countedPixels(column.data)) : null,
      weights: isWeighed ? this.#weights() : null,
      how: isWeighed || isSelected ? null : this.#how(column.data.pixels),
      aborted: this.#chance(30),
    };
  }

  #histograms(): Step {
    const data = this.#data({ channels: 1 + this.#random.below(4) });
    const channels = Array.from({ length: data.channels }, (_, i) => i).filter(() => !this.#chance(3));
    const some =
      channels.length === 0 ? [data.channels - 1] : this.#chance(2) ? channels.toReversed() : channels;
    const over = this.#chance(3) ? some.map(() => this.#axis()) : this.#over();
    const how = Array.isArray(over) ? null : this.#how(data.pixels);
    return { kind: "histograms", data, channels: some, over, how };
  }

  #segments(): Step {
    const column = this.#column(this.#axis());
    const n = countedPixels(column.data);
    const { picture } = column.data;
    const cuts: readonly SegmentsInit[] = [
      { every: this.#pick([1 + (n >> 2), 7 + (n >> 4), n + 1]) },
      { offsets: [0, n >> 1, n >> 1, n] },
      { offsets: [n >> 2, n >> 1, n - (n >> 3)] },
      ...(picture === null ? [] : [{ tiles: { width: this.#pick([2, 3, 5]), height: this.#pick([1, 4]) } }]),
    ];
    return { kind: "segments", ...column, cut: this.#pick(cuts), leave: this.#chance(4) };
  }

  #joint(): Step {
    const isWeighed = this.#backend.weighted.length > 0 && this.#chance(6);
    const first = this.#column(this.#axis(), isWeighed ? { form: "array" } : {});
    const { pixels, picture } = first.data;
    const others = Array.from({ length: this.#chance(4) ? 2 : 1 }, () => {
      if (this.#chance(3))
        return { ...first, channel: this.#random.below(first.data.channels), over: this.#axis() };
      return this.#column(this.#axis(), {
        pixels,
        picture,
        ...(isWeighed ? { form: "array" as const } : {}),
      });
    });
    let cells = 1;
    const columns = [first, ...others].filter(({ over }) => {
      const isSmall = AXES[over.axis]!().bins <= 17 && cells * cellsOn(over.axis) <= JOINT_CELLS;
      if (isSmall) cells *= cellsOn(over.axis);
      return isSmall;
    });
    const all =
      columns.length >= 2
        ? columns
        : [first, others[0]!].map((one) => ({ ...one, over: { axis: 0, anew: false } }));
    const prepared = !isWeighed && this.#chance(6);
    const select = this.#chance(3) ? this.#select(countedPixels(first.data)) : null;
    return {
      kind: "joint",
      columns: all.map((one, k) => (k === 0 ? one : { ...one, data: unshared(one.data) })),
      select: prepared && select !== null ? { ...select, by: null } : select,
      weights: isWeighed ? this.#weights() : null,
      prepared,
    };
  }

  #counter(): CounterOf {
    const { type, channels } = this.#data();
    const all = Array.from({ length: channels }, (_, i) => i);
    const over = this.#chance(4) ? { bins: this.#pick([2, 16]), range: [0, 16] as const } : this.#axis();
    return {
      type,
      interleaved: channels,
      channels: this.#chance(2) ? all.toReversed() : [this.#random.below(channels)],
      over,
      how: this.#how(Math.max(...this.#scene!.sizes)),
    };
  }

  #counting(): Step {
    const { counters } = this.#scene!;
    const of = this.#pick(counters);
    if (this.#chance(8)) return { kind: this.#chance(4) ? "free" : "take", of };
    const way = this.#pick(["count", "countSync", "countAll", "accumulate", "accumulate"] as const);
    const inputs = Array.from({ length: way === "countAll" ? 1 + this.#random.below(4) : 1 }, () =>
      this.#data({ type: of.type, channels: of.interleaved }),
    );
    return { kind: "counter", of, way, inputs: way === "countAll" ? inputs.map(unshared) : inputs };
  }

  #stream(): Step {
    const over = this.#chance(4) ? { bins: this.#pick([2, 16]), range: [0, 16] as const } : this.#axis();
    const column = this.#column(over, { form: "array", picture: null });
    return { kind: "stream", ...column, piece: this.#pick([1000, 4096, 65_536]) };
  }

  #table(): TableOf {
    const type = this.#pick(["u8", "u16"] as const);
    const bins = Array.from({ length: 1 + this.#random.below(3) }, () => this.#pick([2, 3, 16, 256]));
    return { type, documents: this.#pick([1, 64, 300]), bins, seed: this.#random.below(2) };
  }

  #sums(): Step {
    const { weighted } = this.#backend;
    if (weighted.length === 0) return this.#histogram();
    return {
      kind: "sums",
      table: this.#pick(this.#scene!.tables),
      weights: this.#random.below(2),
      documents: this.#chance(3) ? this.#random.below(2) : null,
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

const unshared = (data: Data): Data => (data.form === "allocated" ? { ...data, form: "array" } : data);

function unallocated(step: Step): Step {
  if ("columns" in step) {
    return { ...step, columns: step.columns.map((one) => ({ ...one, data: unshared(one.data) })) };
  }
  return "data" in step ? ({ ...step, data: unshared(step.data) } as Step) : step;
}
