import type { Case } from "./cases.ts";
import { differenceOf } from "./compare.ts";
import { type Expected, expectedOf, type Refused, Unjudged } from "./expected.ts";
import { type Polybin, perform } from "./perform.ts";

type Engine = Awaited<ReturnType<Polybin["openEngine"]>>;

/** The outcome of a case: right, refused as promised, or wrong. */
export interface Outcome {
  readonly wrong: string | null;
  /** The code of a promised refusal. */
  readonly refused: string | null;
}

/** The outcome of a case that the reference cannot judge. */
export const UNJUDGED: unique symbol = Symbol("unjudged");

/** Makes a call and compares the answer with the reference's. */
export async function check(polybin: Polybin, engine: Engine, of: Case): Promise<Outcome | typeof UNJUDGED> {
  const expected = judged(of);
  if (expected === null) return UNJUDGED;
  const mustRefuse = "refusals" in expected;
  const refusals = mustRefuse
    ? expected.refusals.map(({ code, message }) => `${code} (${message})`).join(", ")
    : "";
  try {
    const got = await perform(polybin, engine, of);
    return mustRefuse
      ? wrong(`answers in place of ${refusals}`)
      : { wrong: differenceOf(of, expected, got), refused: null };
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (!polybin.isPolybinError(error)) return wrong(`fails with ${message}`);
    const { code } = error;
    if (!mustRefuse && expected.mayRefuse.some((one) => one.code === code))
      return { wrong: null, refused: code };
    if (!mustRefuse) return wrong(`refuses with ${code} (${message})`);
    return expected.refusals.some((one) => one.code === code)
      ? { wrong: null, refused: code }
      : wrong(`refuses with ${code} (${message}) in place of ${refusals}`);
  }
}

const wrong = (how: string): Outcome => ({ wrong: how, refused: null });

/** The reference's answer. Null: it has none, because the last bits of a rule decide. */
function judged(of: Case): Expected | Refused | null {
  try {
    return expectedOf(of);
  } catch (error) {
    if (error instanceof Unjudged) return null;
    throw error;
  }
}
