import type { Engine, FeatureTable, SamplesInit } from "@polybin/core";
import type { Numbers } from "../oracle/cells.ts";
import { type AnyResult, axesOf, numbersOf } from "../oracle/results.ts";
import { ask, counterInput, counterOptions, howOf } from "../request/ask.ts";
import { Inputs } from "../request/inputs.ts";
import { asked } from "../request/over.ts";
import { countedPixels } from "../request/samples.ts";
import { counterKey, named } from "./expected.ts";
import type { Step, StepOf } from "./step.ts";
import { tableDocuments, tableInit, tableWeights } from "./tables.ts";

/** The numbers of a step, and what its result says about itself. */
export interface Outcome {
  readonly numbers: Numbers | null;
  /** The axes, types, algorithm and plan, as text. They must not depend on earlier steps either. */
  readonly told: string | null;
}

const NOTHING: Outcome = { numbers: null, told: null };
/** Residents, and tables, that live at a time. */
const MOST = 8;

/** A program that uses one engine: it performs steps and keeps counters, tables and residents for later ones. */
export class User {
  readonly engine: Engine;
  readonly #inputs: Inputs;
  readonly #counters = new Map<string, Promise<AnyResult>>();
  readonly #tables = new Map<string, Promise<FeatureTable>>();

  constructor(engine: Engine) {
    this.engine = engine;
    this.#inputs = new Inputs(engine);
  }

  /** Closes the engine. Its residents are freed with it. */
  async close(): Promise<void> {
    await this.engine.close();
    await this.#inputs[Symbol.asyncDispose]();
  }

  async perform(step: Step): Promise<Outcome> {
    switch (step.kind) {
      case "ask":
        return this.#ask(step);
      case "counter":
        return this.#count(step);
      case "take": {
        const counter = await this.#counter(step.of);
        return outcomeOf([await counter.take()].flat());
      }
      case "free":
        await this.#forget(this.#counters, counterKey(step.of));
        return NOTHING;
      case "release":
        await this.#inputs.free(step.data);
        return NOTHING;
      case "sums":
        return { numbers: await this.#sums(step), told: null };
      case "extent": {
        const { input } = await this.#inputs.of(step.data);
        const { min, max } = await this.engine.extent(input as SamplesInit);
        return { numbers: { extent: [min + 0, max + 0] }, told: null };
      }
      case "explain":
        await this.#explain(step);
        return NOTHING;
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

  /** Frees what was made first, between steps. */
  async tidy(): Promise<void> {
    await this.#inputs.keep(MOST);
    while (this.#tables.size > MOST) await this.#forget(this.#tables, this.#tables.keys().next().value!);
  }

  async #ask({ request, aborted }: StepOf<"ask">): Promise<Outcome> {
    const reason = new Error("enough");
    const controller = new AbortController();
    const stop = aborted ? { signal: controller.signal, onCalled: () => controller.abort(reason) } : {};
    try {
      return outcomeOf(await ask(request, { engine: this.engine, inputs: this.#inputs, ...stop }));
    } catch (error) {
      if (error === reason) return NOTHING;
      throw error;
    }
  }

  async #count({ way, requests }: StepOf<"counter">): Promise<Outcome> {
    const counter = await this.#counter(requests[0]!);
    const all = await Promise.all(requests.map((request) => counterInput(request, { inputs: this.#inputs })));
    if (way === "countAll") return outcomeOf((await counter.countAll(all)).flat());
    const found = way === "countSync" ? counter.countSync(all[0]) : await counter[way](all[0]);
    return way === "accumulate" ? NOTHING : outcomeOf([found].flat());
  }

  #counter(of: StepOf<"take">["of"]): Promise<AnyResult> {
    return this.#kept(this.#counters, counterKey(of), () => this.engine.prepare(counterOptions(of) as never));
  }

  async #sums(step: StepOf<"sums">): Promise<Numbers> {
    const { table: of, counts, squares, skip, algorithm } = step;
    const table = await this.#kept(this.#tables, JSON.stringify(of), () => this.engine.table(tableInit(of)));
    const documents = tableDocuments(step);
    const options = { counts, squares, skip, algorithm, ...(documents && { documents }) };
    const found = await table.sums(tableWeights(step), options);
    return Object.fromEntries(
      of.bins.flatMap((_, feature) => [
        ...(counts ? [[`counts ${feature}`, found.counts![feature]!]] : []),
        [`sums ${feature}`, found.sums[feature]!],
        ...(squares ? [[`squares ${feature}`, found.sumsOfSquares![feature]!]] : []),
      ]),
    );
  }

  async #explain({ request, how }: StepOf<"explain">): Promise<void> {
    const [{ data, channel, over }] = request.columns as [(typeof request.columns)[number]];
    const shape = {
      type: data.type,
      interleaved: data.channels,
      channels: [channel],
      samples: countedPixels(data),
    };
    await this.engine.explain({ ...shape, ...asked(over), ...howOf(how) } as never);
  }

  /** Makes a call that is refused. */
  async #wrong({ request }: StepOf<"wrong">): Promise<Outcome> {
    const [{ data, over }] = request.columns as [(typeof request.columns)[number]];
    const { input } = await this.#inputs.of(data);
    const options = { ...asked(over), channel: 0, interleaved: data.channels + 1 };
    const error = await this.engine.histogram(input, options as object).catch((thrown: unknown) => thrown);
    if ((error as { code?: string }).code === "ERR_INPUT") return NOTHING;
    throw error instanceof Error
      ? error
      : new Error("expected ERR_INPUT for other channels than the samples have");
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

  async #forget<T extends { free(): Promise<void> }>(
    of: Map<string, Promise<T>>,
    key: string,
  ): Promise<void> {
    const made = of.get(key);
    of.delete(key);
    await (await made)?.free();
  }
}

function outcomeOf(all: readonly AnyResult[]): Outcome {
  return { numbers: named(all.map(numbersOf)), told: JSON.stringify(all.map(tell)) };
}

function tell(found: AnyResult): unknown {
  const { type, types, algorithm, plan } = found.joint ?? found;
  return [axesOf(found), type ?? types, algorithm, plan];
}
