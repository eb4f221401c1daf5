import { type Engine, isPolybinError, type PolybinError } from "@polybin/core";
import { describeError } from "../checker.ts";
import type { Numbers } from "../oracle/cells.ts";
import { differenceOf } from "../oracle/results.ts";
import { codeOfAll } from "./code.ts";
import { expectedStep, type Totals } from "./expected.ts";
import { simplerOf } from "./simpler.ts";
import type { Step } from "./step.ts";
import { type Outcome, User } from "./user.ts";

/** Opens an engine of the backend under test. */
export type Open = () => Promise<Engine>;

/** The numbers of a run. */
export interface Ran {
  readonly steps: number;
  /** Steps that the backend refused as the definition does, or with the sentence of a fresh engine. */
  readonly refused: number;
  /** Steps whose result was also compared with that of a fresh engine. */
  readonly fresh: number;
  /** The first difference: a minimal sequence as code, and what was wrong. Null: there was none. */
  readonly failure: Failure | null;
}

export interface Failure {
  /** The step of the run that failed, from 1 on. */
  readonly at: number;
  readonly steps: readonly Step[];
  readonly message: string;
}

/**
 * One step in this number is also compared with a fresh engine. That takes as long as opening one, which is tens of
 * milliseconds for a pool or a GPU, so the definition is what every step is compared with.
 */
const FRESH = 256;
/** Steps that shrinking a failure may perform. */
const SHRINKING = 20_000;

/** Refusals that depend on the backend. A fresh engine must repeat them. */
const OF_BACKENDS: readonly string[] = ["ERR_UNSUPPORTED", "ERR_LIMIT"];

/**
 * Performs requests on one engine until a `reopen`. It compares each result with the definition, and some with those
 * of a fresh engine. A failure ends the run and is shrunk to a minimal sequence.
 */
export async function runSequence(open: Open, next: () => Step, steps: number): Promise<Ran> {
  let session = await Session.open(open);
  let refused = 0;
  let fresh = 0;
  try {
    for (let at = 1; at <= steps; at++) {
      const step = next();
      if (step.kind === "reopen") {
        await session.close();
        session = await Session.open(open);
        continue;
      }
      const result = await session.check(step, at % FRESH === 0);
      if (result.fresh) fresh++;
      if (result.refused) refused++;
      if (result.wrong === null) continue;
      const { history } = session;
      await session.close();
      const minimal = await shrunk(open, history, result.wrong);
      return { steps: at, refused, fresh, failure: { at, ...minimal } };
    }
    return { steps, refused, fresh, failure: null };
  } finally {
    await session.close();
  }
}

interface Checked {
  readonly wrong: string | null;
  readonly refused: boolean;
  readonly fresh: boolean;
}

/** An engine, what it was asked, and what must follow from it. */
class Session {
  readonly history: Step[] = [];
  readonly #open: Open;
  readonly #user: User;
  readonly #totals: Totals = new Map();
  /** Refusals that a fresh engine repeated. */
  readonly #refusals = new Set<string>();

  private constructor(open: Open, user: User) {
    this.#open = open;
    this.#user = user;
  }

  static async open(open: Open): Promise<Session> {
    return new Session(open, new User(await open()));
  }

  close(): Promise<void> {
    return this.#user.close();
  }

  async check(step: Step, withFresh: boolean): Promise<Checked> {
    this.history.push(step);
    const right = { wrong: null, refused: false, fresh: false };
    let found: Outcome;
    try {
      await this.#user.tidy();
      found = await this.#user.perform(step);
    } catch (error) {
      const refused = { ...right, refused: true };
      if (!isPolybinError(error)) return { ...right, wrong: `threw ${describeError(error)}` };
      if (OF_BACKENDS.includes(error.code)) {
        return { ...refused, wrong: await this.#likeFresh(step, error.message) };
      }
      const expected = this.#expected(step);
      if (isPolybinError(expected) && expected.code === error.code) return refused;
      return { ...right, wrong: `threw ${describeError(error)}` };
    }
    const expected = this.#expected(step);
    // A call that was aborted has no numbers.
    if (found.numbers === null) return right;
    if (isPolybinError(expected)) return { ...right, wrong: `answered, expected ${describeError(expected)}` };
    if (expected !== null) {
      const wrong = differenceOf(found.numbers, withoutAborted(step, found.numbers, expected));
      if (wrong !== null) return { ...right, wrong };
    }
    if (!withFresh || step.kind === "take") return right;
    const engine = await this.#open();
    try {
      const other = await new User(engine).perform(step);
      if (other.numbers === null) return right;
      const wrong = differenceOf(found.numbers, other.numbers);
      const told = found.told === other.told ? null : `says ${found.told}, a fresh engine ${other.told}`;
      return { ...right, fresh: true, wrong: wrong ?? told };
    } finally {
      await engine.close();
    }
  }

  /** Returns the numbers of the definition, or its refusal: the data of a request may leave no room for its bins. */
  #expected(step: Step): Numbers | PolybinError | null {
    try {
      return expectedStep(step, this.#totals);
    } catch (error) {
      if (isPolybinError(error)) return error;
      throw error;
    }
  }

  /** Returns what is wrong with a refusal, or null if a fresh engine refuses the step with the same sentence. */
  async #likeFresh(step: Step, message: string): Promise<string | null> {
    const key = `${step.kind} ${message}`;
    if (this.#refusals.has(key)) return null;
    const engine = await this.#open();
    try {
      await new User(engine).perform(step);
    } catch (error) {
      if (isPolybinError(error) && (error.message === message || step.kind === "together")) {
        this.#refusals.add(key);
        return null;
      }
      return `refused with ${message}, a fresh engine with ${describeError(error)}`;
    } finally {
      await engine.close();
    }
    return `refused with ${message}, but a fresh engine answers`;
  }
}

/** Leaves out the numbers of calls that were made together with others and were aborted. */
function withoutAborted(step: Step, found: Numbers, expected: Numbers): Numbers {
  if (step.kind !== "together") return expected;
  const isMissing = (name: string): boolean => {
    const one = step.steps[Number.parseInt(name, 10)]!;
    return "aborted" in one && one.aborted && found[name] === undefined;
  };
  return Object.fromEntries(Object.entries(expected).filter(([name]) => !isMissing(name)));
}

/** Repeats steps on a new engine. @returns what is wrong with the first wrong one, and its index; null: nothing */
async function repeated(open: Open, steps: readonly Step[]): Promise<{ wrong: string; at: number } | null> {
  const session = await Session.open(open);
  try {
    for (const [at, step] of steps.entries()) {
      const { wrong } = await session.check(step, at === steps.length - 1);
      if (wrong !== null) return { wrong, at };
    }
    return null;
  } finally {
    await session.close();
  }
}

/** Returns the error's code, or a word for wrong numbers. */
const kindOf = (wrong: string): string => /^threw (\w+)/.exec(wrong)?.[1] ?? "numbers";

/** Leaves out steps, and then parts of steps, as long as the rest still fails. */
async function shrunk(
  open: Open,
  history: readonly Step[],
  wrong: string,
): Promise<Pick<Failure, "steps" | "message">> {
  let budget = SHRINKING;
  let message = wrong;
  let steps: readonly Step[] = history;
  const accept = async (fewer: readonly Step[]): Promise<boolean> => {
    if (budget < fewer.length) return false;
    budget -= fewer.length;
    const found = await repeated(open, fewer);
    // Steps that were shortened may be wrong in another way, such as segments beyond their samples.
    if (found === null || kindOf(found.wrong) !== kindOf(wrong)) return false;
    steps = fewer.slice(0, found.at + 1);
    message = found.wrong;
    return true;
  };
  const last = history.slice(-1);
  if (!(await accept(last)) && !(await accept(history))) {
    const some = history.slice(-20);
    return {
      steps: some,
      message: `${wrong} (not again on a new engine; the last ${some.length} steps)\n${codeOfAll(some)}`,
    };
  }
  for (let size = steps.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < steps.length - 1; ) {
      const without = [...steps.slice(0, at), ...steps.slice(Math.min(at + size, steps.length - 1))];
      if (!(await accept(without))) at += size;
    }
  }
  for (let at = 0; at < steps.length; at++) {
    for (let again = true; again; ) {
      again = false;
      for (const simpler of simplerOf(steps[at]!)) {
        if (!(await accept(steps.with(at, simpler)))) continue;
        again = at < steps.length;
        break;
      }
    }
  }
  return { steps, message: `${message}\n${codeOfAll(steps)}` };
}
