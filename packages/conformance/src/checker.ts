import type { Axis } from "@polybin/core";
import {
  type Countable,
  type Engine,
  type Histogram,
  type HistogramOptions,
  isPolybinError,
  type SampleType,
  type TableSums,
  type TableSumsOnly,
} from "@polybin/core";
import { edgesOf, limits, PARAMETER_NAMES, type SampleArray } from "@polybin/core/backend";
import { describeAxis } from "./axes.ts";
import { countByDefinition, type Expected } from "./oracle/counts.ts";
import { Skip } from "./skip.ts";
import type { ExpectedSums } from "./weighting.ts";

/** Options of a call over a given axis. */
type OverAxis = HistogramOptions & { readonly [Name in "bins" | "range" | "nice"]?: undefined };

/** How a call must fail. */
export interface Failure {
  readonly code?: string;
  /** Texts that the message must contain. */
  readonly says?: readonly string[];
}

/** Maximum number of failures that are shown. Others are only counted. */
const SHOWN = 5;

/** The input, if it is not the samples themselves, and other counts to expect. */
interface Counted {
  readonly name?: string;
  readonly input?: Countable;
  readonly expected?: Expected;
}

/** Collects the failures of a case, so that one run reports all of them. */
export class Checker {
  readonly #failures: string[] = [];
  readonly #refusals = new Set<string>();
  #passed = 0;

  /** Sentences with which the backend refused a part of the case. */
  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** Ends the case. @throws the failures, or Skip if the backend refused everything. */
  finish(): void {
    const { length } = this.#failures;
    if (length > 0) {
      const more = length > SHOWN ? [`… and ${length - SHOWN} more`] : [];
      throw new Error([...this.#failures.slice(0, SHOWN), ...more].join("\n"));
    }
    if (this.#passed > 0) return;
    if (this.#refusals.size > 0) throw new Skip(this.refusals.join("; "));
    throw new Error("the case checked nothing");
  }

  ok(what: string, condition: boolean): void {
    if (condition) this.#passed++;
    else this.#failures.push(what);
  }

  same(what: string, received: unknown, expected: unknown): void {
    this.ok(
      `${what}: expected ${String(expected)} but received ${String(received)}`,
      Object.is(received, expected),
    );
  }

  refused(sentence: string): void {
    this.#refusals.add(sentence);
  }

  /** Compares numbers bit for bit, so that -0 differs from 0. */
  sameNumbers(what: string, received: ArrayLike<number>, expected: ArrayLike<number>): void {
    const difference = differenceOf(received, expected);
    this.ok(`${what}: ${difference}`, difference === null);
  }

  /** Compares every number of a result. */
  histogram(what: string, received: Histogram, expected: Expected): void {
    const wrong = [
      prefixed("counts", differenceOf(received.counts, expected.counts)),
      ...(["underflow", "overflow", "nan"] as const).map((name) =>
        received[name] === expected[name] ? null : `${name} is ${received[name]}, expected ${expected[name]}`,
      ),
      prefixed("edges", differenceOf(received.edges, edgesOf(received.axis, received.type))),
    ].filter((line) => line !== null);
    this.ok(`${what}: ${wrong.join("; ")}`, wrong.length === 0);
  }

  /** Counts one channel of samples and compares it with the definition. It notes a refused plan. */
  async counts(
    engine: Engine,
    samples: SampleArray,
    type: SampleType,
    axis: Axis,
    { name = "", input = samples, expected, ...options }: OverAxis & Counted = {},
  ): Promise<void> {
    const what = describeCall(type, samples.length, name, axis, options);
    await this.unlessRefused(what, async () => {
      const result = await engine.histogram(input, { ...options, axis });
      this.histogram(what, result, expected ?? countByDefinition(axis, type, samples));
      this.provenance(what, result, engine, options);
    });
  }

  /**
   * Compares every bin of every feature of `table.sums`, bit for bit, or within the tolerance for the precision
   * "fast".
   */
  sums(what: string, received: TableSums | TableSumsOnly, expected: readonly ExpectedSums[]): void {
    this.same(`${what}: features`, received.sums.length, expected.length);
    expected.forEach((want, i) => {
      const name = `${what}, feature ${received.features[i]}`;
      const counts = received.counts?.[i];
      if (counts !== undefined) this.sameNumbers(`${name}, counts`, counts, want.counts);
      if (received.quantum === null) this.near(name, received.sums[i]!, want);
      else {
        this.sameNumbers(`${name}, sums`, received.sums[i]!, want.sums);
        const squares = received.sumsOfSquares?.[i];
        if (squares !== undefined) this.sameNumbers(`${name}, squares`, squares, want.squares);
      }
    });
  }

  /** Compares float sums within the tolerance of docs/internals/weighted-sums.md. */
  near(what: string, received: ArrayLike<number>, { plain, sizes, counts }: ExpectedSums): void {
    const wrong = plain.findIndex((sum, bin) => {
      const tiny = counts[bin]! * 2 ** -149;
      return !(Math.abs(received[bin]! - sum) <= sizes[bin]! * limits.FAST_TOLERANCE + tiny);
    });
    this.ok(`${what}: [${wrong}] is ${received[wrong]}, expected about ${plain[wrong]}`, wrong < 0);
  }

  /** Runs work. It notes a refused plan. Any other error is a failure, a kernel that does not compile included. */
  async unlessRefused(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Skip) throw error;
      if (!isPolybinError(error) || error.code !== "ERR_UNSUPPORTED" || isDrivers(error))
        this.fails(what, error);
      else if (error.message.trim() === "") this.#failures.push(`${what}: refused without a sentence`);
      else this.refused(error.message);
    }
  }

  /** Checks that no other backend or algorithm counted silently. */
  provenance(what: string, result: Histogram, engine: Engine, { algorithm }: HistogramOptions): void {
    this.ok(
      `${what}: backend is ${result.backend}, expected ${engine.backend}`,
      result.backend === engine.backend,
    );
    if (algorithm !== undefined && algorithm !== "auto") {
      this.ok(
        `${what}: algorithm is ${result.algorithm}, expected ${algorithm}`,
        result.algorithm === algorithm,
      );
    }
  }

  fails(what: string, error: unknown): void {
    this.#failures.push(`${what}: threw ${describeError(error)}`);
  }

  /** Checks that the work rejects with a PolybinError of this kind. */
  async rejects(what: string, work: () => unknown, { code, says = [] }: Failure): Promise<void> {
    try {
      await work();
      this.#failures.push(`${what}: expected ${code ?? "a PolybinError"} but nothing was thrown`);
    } catch (error) {
      if (error instanceof Skip) throw error;
      const missing = error instanceof Error ? says.filter((part) => !error.message.includes(part)) : [];
      if (!isPolybinError(error))
        this.#failures.push(`${what}: expected a PolybinError but received ${describeError(error)}`);
      else if (code !== undefined && error.code !== code) {
        this.#failures.push(`${what}: expected ${code} but received ${describeError(error)}`);
      } else if (missing.length > 0) {
        this.#failures.push(
          `${what}: expected a message with ${missing.join(" and ")} but received: ${error.message}`,
        );
      } else this.#passed++;
    }
  }
}

/** Describes an error in one line. */
export function describeError(error: unknown): string {
  if (isPolybinError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function describeCall(type: string, n: number, name: string, axis: Axis, options: HistogramOptions): string {
  const { algorithm = "auto" } = options;
  const given = PARAMETER_NAMES.filter((key) => options[key] !== undefined);
  const parameters = given.map((key) => ` ${key}=${options[key]}`);
  return `${algorithm}${parameters.join("")}, ${n} ${type}${name && ` (${name})`}, ${describeAxis(axis)}`;
}

function prefixed(name: string, text: string | null): string | null {
  return text === null ? null : `${name}: ${text}`;
}

function differenceOf(received: ArrayLike<number>, expected: ArrayLike<number>): string | null {
  if (received.length !== expected.length) return `${received.length} numbers, expected ${expected.length}`;
  let first = -1;
  let wrong = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(received[i], expected[i])) continue;
    if (first < 0) first = i;
    wrong++;
  }
  if (wrong === 0) return null;
  const others = wrong > 1 ? ` and ${wrong - 1} others` : "";
  return `[${first}] is ${received[first]}, expected ${expected[first]}${others}`;
}

/** Whether an error of polybin's has a cause that is not: a plan is refused without one, a driver's error has one. */
function isDrivers(error: unknown): boolean {
  let cause = error;
  while (isPolybinError(cause)) cause = cause.cause;
  return cause !== undefined && cause !== null;
}
