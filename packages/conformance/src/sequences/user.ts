import type {
  Axis,
  Countable,
  Counter,
  Engine,
  FeatureTable,
  Histogram,
  PrepareOptions,
  Resident,
  SamplesInit,
} from "@polybin/core";
import { FLOW } from "./definition.ts";
import { counterKey, dataKey, tableKey } from "./name.ts";
import { asked } from "./over.ts";
import { bytesOf, countedPixels, type Data, samplesOf, shapeOf } from "./samples.ts";
import { documentsOf, selected, tableValues, weightsOf } from "./selecting.ts";
import type { ColumnOf, CounterOf, How, Numbers, Select, Step, TableOf } from "./step.ts";

/** The numbers of a step, and what its result says about itself. */
export interface Outcome {
  readonly numbers: Numbers | null;
  /** The axis, type, algorithm and plan, as text. They must not depend on earlier steps either. */
  readonly told: string | null;
}

const NOTHING: Outcome = { numbers: null, told: null };
const ROOM = 2 ** 21;
/** Residents, and tables, that live at a time. */
const MOST = 8;

/** A program that uses one engine: it performs steps and keeps counters, tables and residents for later ones. */
export class User {
  readonly engine: Engine;
  readonly #counters = new Map<string, Promise<Counter<Histogram[]>>>();
  readonly #tables = new Map<string, Promise<FeatureTable>>();
  readonly #residents = new Map<string, Promise<Resident>>();
  #room: Uint8Array | null = null;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  async perform(step: Step): Promise<Outcome> {
    const { engine } = this;
    switch (step.kind) {
      case "histogram":
        return this.#histogram(step);
      case "histograms": {
        const { data, channels, over, how } = step;
        const axes = Array.isArray(over)
          ? { axes: over.map((one) => (asked(one) as { axis: Axis }).axis) }
          : asked(over as never);
        const options = { ...axes, channels, ...howOf(how) };
        const all = (await engine.histograms(await this.#input(data), options as object)) as Histogram[];
        return { numbers: named(all), told: Array.isArray(over) ? null : tell(all[0]!) };
      }
      case "segments":
        return { numbers: await this.#segments(step), told: null };
      case "joint":
        return { numbers: await this.#joint(step), told: null };
      case "counter":
        return { numbers: await this.#count(step), told: null };
      case "take":
        return { numbers: named(await (await this.#counter(step.of)).take()), told: null };
      case "free":
        await this.#forget(this.#counters, counterKey(step.of));
        return NOTHING;
      case "release":
        await this.#forget(this.#residents, dataKey(step.data));
        return NOTHING;
      case "stream":
        return this.#stream(step);
      case "sums":
        return { numbers: await this.#sums(step), told: null };
      case "extent": {
        const { min, max } = await engine.extent((await this.#input(step.data)) as SamplesInit);
        return { numbers: { extent: [min + 0, max + 0] }, told: null };
      }
      case "explain": {
        const { data, channel, over, how } = step;
        const { type, channels: interleaved } = data;
        await engine.explain({
          type,
          interleaved,
          channels: [channel],
          samples: countedPixels(data),
          ...asked(over),
          ...howOf(how),
        } as never);
        return NOTHING;
      }
      case "wrong":
        return this.#wrong(step);
      case "together": {
        const all = await Promise.all(step.steps.map((one) => this.perform(one)));
        const rows = all.flatMap(({ numbers }, i) =>
          Object.entries(numbers ?? {}).map(([name, row]) => [`${i} ${name}`, row]),
        );
        return { numbers: Object.fromEntries(rows), told: null };
      }
      case "reopen":
        throw new Error("expected a step of one engine");
    }
  }

  /** Returns samples where a step wants them. */
  async #input(data: Data): Promise<Countable> {
    const { form } = data;
    if (form === "array" && data.channels === 1 && data.picture === null && data.type !== "f16") {
      return samplesOf(data.type, data.pixels, data.seed) as Uint8Array<ArrayBuffer>;
    }
    const bytes = bytesOf(data);
    const of = (memory: Uint8Array) => ({ ...shapeOf(data), data: memory }) as SamplesInit;
    if (form === "resident") {
      return this.#kept(this.#residents, dataKey(data), () => this.engine.upload(of(bytes)));
    }
    return of(this.#placed(bytes, form));
  }

  #placed(bytes: Uint8Array, form: Data["form"]): Uint8Array {
    if (form === "array" || (form === "shared" && typeof SharedArrayBuffer === "undefined")) return bytes;
    const out =
      form === "shared"
        ? new Uint8Array(new SharedArrayBuffer(bytes.length))
        : form === "unaligned"
          ? new Uint8Array(bytes.length + 1).subarray(1)
          : this.#allocated(bytes.length);
    out.set(bytes);
    return out;
  }

  /** The engine's own memory. Each step that wants it uses its beginning. */
  #allocated(bytes: number): Uint8Array {
    this.#room ??= this.engine.allocate(ROOM);
    return bytes <= ROOM ? this.#room.subarray(0, bytes) : new Uint8Array(bytes);
  }

  /** Returns what earlier steps made, or makes it. */
  #kept<T>(of: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
    let made = of.get(key);
    if (made === undefined) {
      made = make();
      of.set(key, made);
      made.catch(() => of.delete(key));
    }
    return made;
  }

  /** Frees what was made first, between steps. */
  async tidy(): Promise<void> {
    while (this.#residents.size > MOST)
      await this.#forget(this.#residents, this.#residents.keys().next().value!);
    while (this.#tables.size > MOST) await this.#forget(this.#tables, this.#tables.keys().next().value!);
  }

  async #forget<T extends { free(): Promise<void> }>(
    of: Map<string, Promise<T>>,
    key: string,
  ): Promise<void> {
    const made = of.get(key);
    of.delete(key);
    await (await made)?.free();
  }

  async #histogram({
    data,
    channel,
    over,
    select,
    weights,
    how,
    aborted,
  }: Extract<Step, { readonly kind: "histogram" }>): Promise<Outcome> {
    const n = countedPixels(data);
    const reason = new Error("enough");
    const controller = new AbortController();
    const options = {
      ...asked(over),
      ...(data.channels > 1 ? { channel } : {}),
      ...howOf(how),
      ...selected(select, n).options,
      ...weighing(weights, n),
      ...(aborted ? { signal: controller.signal } : {}),
    };
    const input = await this.#input(data);
    const counting = this.engine.histogram(input, options as object) as Promise<Any>;
    if (aborted) controller.abort(reason);
    let found: Any;
    try {
      found = await counting;
    } catch (error) {
      if (error === reason) return NOTHING;
      throw error;
    }
    if (isGrouped(select)) return { numbers: cellsOf(found.joint, true), told: null };
    const masked = { masked: [found.masked ?? 0] };
    if (weights === null)
      return { numbers: { counts: rowOf(found), ...masked }, told: select === null ? tell(found) : null };
    return {
      numbers: {
        counts: rowOf(found),
        sums: flat(found.sums, found.flowSums),
        ...(weights.squares ? { squares: flat(found.sumsOfSquares, found.flowSumsOfSquares) } : {}),
        ...masked,
      },
      told: null,
    };
  }

  async #segments({
    data,
    channel,
    over,
    cut,
    leave,
  }: Extract<Step, { readonly kind: "segments" }>): Promise<Numbers> {
    const options = { ...asked(over), ...(data.channels > 1 ? { channel } : {}), leave };
    const found: Any = await this.engine.segments(await this.#input(data), cut, options as object);
    const { counts, underflow, overflow, nan } = leave ? await readAll(found) : found;
    return { counts, underflow, overflow, nan };
  }

  async #joint({
    columns,
    select,
    weights,
    prepared,
  }: Extract<Step, { readonly kind: "joint" }>): Promise<Numbers> {
    const n = countedPixels(columns[0]!.data);
    const { options } = selected(select, n);
    if (prepared) {
      const of = columns.map(({ data, channel, over }) => ({
        ...{ type: data.type, ...asked(over) },
        ...(data.channels > 1 ? { interleaved: data.channels, channel } : {}),
      }));
      const counter = await this.engine.prepare({ columns: of as never });
      const inputs = await Promise.all(columns.map(({ data }) => this.#input(data)));
      return cellsOf(await counter.count({ ...options, columns: inputs as never }), false);
    }
    const inputs = await Promise.all(columns.map((one) => this.#column(one)));
    const axes = columns.map(({ over }) => (asked(over) as { axis: Axis }).axis);
    const found: Any = await this.engine.joint(
      inputs as never,
      { axes, ...options, ...weighing(weights, n) } as object,
    );
    const grouped = isGrouped(select);
    return cellsOf(grouped ? found.joint : found, grouped);
  }

  async #column({ data, channel }: ColumnOf): Promise<unknown> {
    const input = await this.#input(data);
    return data.channels > 1 ? { input, channel } : input;
  }

  #counter(of: CounterOf): Promise<Counter<Histogram[]>> {
    const { type, interleaved, channels, over, how } = of;
    const options = { type, interleaved, channels, ...asked(over), ...howOf(how) } as PrepareOptions & {
      readonly channels: readonly number[];
    };
    return this.#kept(this.#counters, counterKey(of), () => this.engine.prepare(options));
  }

  async #count({ of, way, inputs }: Extract<Step, { readonly kind: "counter" }>): Promise<Numbers | null> {
    const counter = await this.#counter(of);
    const all = (await Promise.all(inputs.map((data) => this.#input(data)))) as SamplesInit[];
    if (way === "countAll") return named((await counter.countAll(all)).flat());
    if (way === "count") return named(await counter.count(all[0]!));
    if (way === "countSync") return named(counter.countSync(all[0]!));
    await counter.accumulate(all[0]!);
    return null;
  }

  async #stream({
    data,
    channel,
    over,
    piece,
  }: Extract<Step, { readonly kind: "stream" }>): Promise<Outcome> {
    const bytes = bytesOf(data);
    const stream = (async function* () {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
    })();
    const { type, channels: interleaved } = data;
    const options = { ...asked(over), type, interleaved, ...(interleaved > 1 ? { channel } : {}) };
    const found = await this.engine.histogram(stream, options as object);
    return { numbers: { counts: rowOf(found) }, told: null };
  }

  async #sums(step: Extract<Step, { readonly kind: "sums" }>): Promise<Numbers> {
    const { table: of, documents, counts, squares, skip, algorithm } = step;
    const table = await this.#kept(this.#tables, tableKey(of), () => this.engine.table(initOf(of)));
    const found = await table.sums(
      weightsOf({ seed: step.weights, bits: 32 }, of.documents) as Float32Array<ArrayBuffer>,
      {
        ...{ counts, squares, skip, algorithm },
        ...(documents === null ? {} : { documents: documentsOf(of, documents) }),
      },
    );
    return Object.fromEntries(
      of.bins.flatMap((_, feature) => [
        ...(counts ? [[`counts ${feature}`, found.counts![feature]!]] : []),
        [`sums ${feature}`, found.sums[feature]!],
        ...(squares ? [[`squares ${feature}`, found.sumsOfSquares![feature]!]] : []),
      ]),
    );
  }

  /** Makes a call that is refused. */
  async #wrong({ data, channel, over }: Extract<Step, { readonly kind: "wrong" }>): Promise<Outcome> {
    const options = {
      ...asked(over),
      ...(data.channels > 1 ? { channel } : {}),
      interleaved: data.channels + 1,
    };
    try {
      await this.engine.histogram(await this.#input(data), options as object);
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_INPUT") return NOTHING;
      throw error;
    }
    throw new Error("expected ERR_INPUT for other channels than the samples have");
  }
}

/** A result of any kind. The class of a result follows from the step. */
// biome-ignore lint/suspicious/noExplicitAny: the fields of all classes of results.
type Any = any;

const isGrouped = (select: Select | null): boolean => select !== null && select.by !== null;

function howOf(how: How | null): object {
  return how === null ? {} : { algorithm: how.algorithm, ...how.parameters };
}

function weighing(weights: { seed: number; bits: 32 | 64; squares: boolean } | null, n: number): object {
  return weights === null ? {} : { weights: weightsOf(weights, n), squares: weights.squares };
}

function initOf({ type, documents, bins, seed }: TableOf) {
  return {
    values: tableValues({ type, documents, bins, seed }),
    type,
    features: bins.length,
    documents,
    bins,
  };
}

async function readAll(rows: { read(): Promise<Any>; free(): Promise<void> }): Promise<Any> {
  try {
    return await rows.read();
  } finally {
    await rows.free();
  }
}

type Flow = { readonly underflow: number; readonly overflow: number; readonly nan: number };

function flat(bins: Float64Array, { underflow, overflow, nan }: Flow): Float64Array {
  const out = new Float64Array(bins.length + FLOW);
  out.set(bins);
  out.set([underflow, overflow, nan], bins.length);
  return out;
}

const rowOf = (found: Any): Float64Array => flat(found.counts, found);

function named(all: readonly Histogram[]): Numbers {
  return Object.fromEntries(all.map((one, i) => [`counts ${i}`, rowOf(one)]));
}

function tell({ axis, type, algorithm, plan }: Histogram): string {
  return JSON.stringify([axis, type, algorithm, plan]);
}

/** Returns the cells of a joint result with three cells of flow on every axis, and none on that of groups. */
function cellsOf(found: Any, isGrouped: boolean): Numbers {
  const { extents, axes, masked } = found as { extents: number[]; axes: Axis[]; masked: number };
  const widths = axes.map(({ bins }, k) => (isGrouped && k === 0 ? bins : bins + FLOW));
  const widened = (cells: Float64Array): Float64Array => {
    const out = new Float64Array(widths.reduce((product, width) => product * width, 1));
    for (let cell = 0; cell < cells.length; cell++) {
      let rest = cell;
      let to = 0;
      let stride = 1;
      for (let k = extents.length - 1; k >= 0; k--) {
        const place = rest % extents[k]!;
        rest = Math.floor(rest / extents[k]!);
        // A single cell of flow holds what an axis does not list.
        to += (extents[k] === axes[k]!.bins + 1 && place === axes[k]!.bins ? place + 1 : place) * stride;
        stride *= widths[k]!;
      }
      out[to]! += cells[cell]!;
    }
    return out;
  };
  const { cells } = found;
  if (cells instanceof Float64Array) return { counts: widened(cells), masked: [masked] };
  const { counts, sums, sumsOfSquares } = cells;
  return {
    ...{ counts: widened(counts), sums: widened(sums) },
    ...(sumsOfSquares === null ? {} : { squares: widened(sumsOfSquares) }),
    masked: [masked],
  };
}
