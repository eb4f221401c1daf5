import { openEngine } from "@polybin/core";
import type { Case, CaseRequest, Context, Topic } from "../case.ts";
import { type Open, partsOf, Requests, runSequence, type Step, turns } from "../sequences/index.ts";

const topic = "sequences";

/** Steps for each random input that a run asks for: a thousand by default, and a million with 40,000 (`numRuns`). */
const STEPS = 25;

/**
 * Cases of requests one after another on one engine. A memory whose key leaves out a part of a request gives one request
 * the answer of another, which no case with one request on a fresh engine sees.
 */
export const sequences: Topic = (request) => [
  {
    topic,
    name: "random requests of all kinds, each with the numbers of the definition",
    run: (context) => random(request, context),
  },
  ...partsOf(request).map(
    ({ part, steps }): Case => ({
      topic,
      name: `requests that differ in one part: ${part}`,
      run: (context) => alternately(steps, context),
    }),
  ),
];

const opening =
  ({ backend }: Context): Open =>
  () =>
    openEngine({ backend });

async function random(request: CaseRequest, context: Context): Promise<void> {
  const { check, seed, runs } = context;
  const requests = new Requests(seed, request);
  const { failure, steps, refused } = await runSequence(
    opening(context),
    () => requests.next(),
    runs * STEPS,
  );
  check.ok(`seed ${seed}, step ${failure?.at}: ${failure?.message}`, failure === null);
  check.ok(`${refused} of ${steps} steps were refused: expected at most half`, refused <= steps / 2);
}

/** Performs steps by turns, so that each follows each other one. */
async function alternately(steps: readonly Step[], context: Context): Promise<void> {
  const all = [...turns(steps)];
  const { failure, refused } = await runSequence(opening(context), () => all.shift()!, all.length);
  context.check.ok(`${failure?.message}`, failure === null);
  if (refused > 0) context.check.refused(`${refused} of these requests are refused`);
}
