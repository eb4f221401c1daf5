import { type Backend, type Engine, openEngine } from "@polybin/core";
import { expected } from "@polybin/core/backend";
import { type Case, type Context, requestFor, Skip } from "./case.ts";
import { topics } from "./cases/index.ts";
import { Checker, describeError } from "./checker.ts";
import { checkSuiteOptions, type SuiteOptions } from "./options.ts";
import { parityCase } from "./parity.ts";

/** The result of one case. */
export interface CaseResult {
  readonly topic: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The failure, or the reason for skipping. Empty if the case passed. */
  readonly reason: string;
  /** Sentences with which the backend refused parts of a case that it passed. */
  readonly refusals: readonly string[];
  readonly ms: number;
}

/** The result of a run. */
export interface RunResult {
  readonly backend: string;
  /** The device's name, or null if the backend is not available. */
  readonly device: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly CaseResult[];
}

/** The parts of a test runner that `describeBackend` uses. Vitest and node:test have them. */
export interface Runner {
  describe(name: string, body: () => void): unknown;
  it(name: string, options: { timeout: number }, body: (test: RunnerTest) => Promise<void>): unknown;
  /**
   * The hook after the tests of a describe: `afterAll` in vitest, `after` in node:test. Without it the engine stays
   * open.
   */
  readonly afterAll?: Hook;
  readonly after?: Hook;
}

type Hook = (body: () => Promise<void>) => unknown;

/** The argument that a runner passes to a test. */
export interface RunnerTest {
  skip(reason?: string): unknown;
}

/**
 * Lists every case of the contract that applies to this backend. It opens nothing.
 * @throws ERR_INPUT for an invalid option.
 */
export function conformanceCases(backend: Backend, options: SuiteOptions = {}): Case[] {
  checkSuiteOptions(options);
  const { kernels, kernelHelpers, filter = () => true } = options;
  const request = requestFor(backend);
  const all = topics.flatMap((topic) => topic(request));
  if (kernels !== undefined) {
    all.push(parityCase([...backend.algorithms, ...(backend.weighted ?? [])], kernels, kernelHelpers));
  }
  return all.filter(filter);
}

/** Milliseconds that a case may take in a test runner. */
const TIMEOUT = { small: 120_000, full: 900_000 } as const;

/**
 * Registers the whole contract as tests of a runner: `describeBackend(() => mine(), { describe, it, afterAll })`. A
 * case that the backend cannot run is skipped with the backend's own sentence.
 * @throws ERR_INPUT for an invalid option, and for a filter that keeps no case.
 */
export function describeBackend(factory: () => Backend, runner: Runner, options: SuiteOptions = {}): void {
  checkSuiteOptions(options);
  const session = new Session(factory, options);
  const timeout = TIMEOUT[options.size ?? "small"];
  const all = conformanceCases(session.backend, options);
  // Tests that are not there would be green.
  if (all.length === 0) throw expected("ERR_INPUT", "filter", "a function that keeps a case", "none");
  const byTopic = Map.groupBy(all, ({ topic }) => topic);
  runner.describe(`conformance of ${session.backend.id}`, () => {
    for (const [topic, cases] of byTopic) {
      runner.describe(topic, () => {
        for (const one of cases) {
          runner.it(one.name, { timeout }, async (test) => {
            const result = await session.run(one);
            if (result.status === "skipped") test.skip(result.reason);
            if (result.status === "failed") throw new Error(result.reason);
          });
        }
      });
    }
    (runner.afterAll ?? runner.after)?.(() => session.close());
  });
}

/**
 * Runs the whole contract without a test runner, for pages and for machines that have none.
 * @throws ERR_INPUT for an invalid option.
 */
export async function runConformance(
  factory: () => Backend,
  given: SuiteOptions & { readonly onResult?: (result: CaseResult) => void } = {},
): Promise<RunResult> {
  checkSuiteOptions(given, ["onResult"]);
  const { onResult, ...options } = given;
  const session = new Session(factory, options);
  const results: CaseResult[] = [];
  try {
    for (const one of conformanceCases(session.backend, options)) {
      const result = await session.run(one);
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await session.close();
  }
  const count = (status: CaseResult["status"]): number =>
    results.filter((one) => one.status === status).length;
  return {
    backend: session.backend.id,
    device: session.device,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    results,
  };
}

const RUNS = { small: 40, full: 400 } as const;

/** A backend under test and the engine that its cases share. */
class Session {
  readonly backend: Backend;
  device: string | null = null;
  readonly #factory: () => Backend;
  readonly #options: SuiteOptions;
  #engine: Promise<Engine> | null = null;

  constructor(factory: () => Backend, options: SuiteOptions) {
    this.#factory = factory;
    this.#options = options;
    this.backend = factory();
  }

  async run(one: Case): Promise<CaseResult> {
    const start = performance.now();
    const check = new Checker();
    const finish = (status: CaseResult["status"], reason: string): CaseResult => ({
      topic: one.topic,
      name: one.name,
      status,
      reason,
      refusals: check.refusals,
      ms: performance.now() - start,
    });
    try {
      const absent = await this.#absence();
      if (absent !== null) return finish(this.#options.required === true ? "failed" : "skipped", absent);
      await this.#runChecked(one, check);
      return finish("passed", "");
    } catch (error) {
      if (error instanceof Skip) return finish("skipped", error.message);
      return finish("failed", reasonOf(error));
    }
  }

  async close(): Promise<void> {
    const engine = await this.#engine?.catch(() => null);
    await engine?.close();
  }

  /** Returns the reason why the backend is not available here, or null. */
  async #absence(): Promise<string | null> {
    if (this.#engine !== null) return null;
    const probe = await this.backend.probe();
    return probe.available ? null : probe.reason;
  }

  async #runChecked(one: Case, check: Checker): Promise<void> {
    this.#engine ??= openEngine({ backend: this.backend });
    const engine = await this.#engine;
    this.device = engine.device;
    const { size = "small", seed = 1, numRuns = RUNS[size] } = this.#options;
    const opened: Engine[] = [];
    const context: Context = {
      engine,
      backend: this.backend,
      size,
      seed,
      runs: numRuns,
      check,
      encode: this.#options.encode,
      open: async () => {
        const another = await openEngine({ backend: this.#factory() });
        opened.push(another);
        return another;
      },
    };
    try {
      await one.run(context);
    } catch (error) {
      if (error instanceof Skip) throw error;
      check.fails("the case", error);
    } finally {
      await Promise.all(opened.map((other) => other.close()));
    }
    check.finish();
  }
}

/** Returns the collected failures of a case, or the name and message of any other error. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === "Error" ? error.message : describeError(error);
}
