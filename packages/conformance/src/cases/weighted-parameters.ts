import { type ComposedAlgorithm, limits, type WeightedAlgorithm } from "@polybin/core/backend";
import type { Case, Context, Topic } from "../case.ts";
import { endsOf, everyChoice, rulesOf, wrongOf } from "../rules.ts";
import { compare, made } from "../tables.ts";
import { documentWeights } from "../weighting.ts";

/** Cases of what single weighted algorithms have: parameters, or a choice among others. */
export const weightedParameters: Topic = ({ methods, composed }) => [
  ...methods
    .filter((method) => rulesOf(method).length > 0)
    .map(
      (method): Case => ({
        topic: "weighted",
        name: `${method.slug}: parameters`,
        run: (context) => parameters(method, methods, context),
      }),
    ),
  ...composed.map(
    (one): Case => ({
      topic: "weighted",
      name: `${one.slug}: measures once, caches its choices, describes them`,
      run: (context) => choosing(one, context),
    }),
  ),
];

/** Tries each parameter at and around its bounds, and each parameter of all algorithms on this one. */
async function parameters(of: WeightedAlgorithm, all: readonly WeightedAlgorithm[], context: Context) {
  const { slug } = of;
  const tried = await made(context.engine, "u16", [16, 500], 5001);
  const weights = documentWeights("gauss", 5001);
  const list = Array.from(weights.keys()).filter((i) => i % 4 > 1);
  for (const given of [...endsOf(of), ...everyChoice(of)]) {
    const options = { algorithm: slug, squares: true, ...given };
    const what = JSON.stringify(given);
    await compare(what, tried, weights, options, context);
    await compare(`${what}, fast`, tried, weights, { ...options, precision: "fast" }, context);
    const documents = Uint32Array.from(list);
    await compare(
      `${what}, a part`,
      tried,
      weights,
      { ...options, documents },
      { ...context, documents: list },
    );
  }
  for (const [name, rule] of all.flatMap(rulesOf)) {
    const isOwn = Object.hasOwn(of.parameters, name);
    const values = isOwn ? wrongOf(rule) : ["of" in rule ? rule.of[0] : rule.least, ...wrongOf(rule)];
    for (const value of values) {
      const call = () => tried.table.sums(weights, { algorithm: slug, [name]: value });
      await context.check.rejects(`${name} = ${value}`, call, { code: "ERR_INPUT", says: [name] });
    }
  }
  await tried.table.free();
}

/** Tries a composed algorithm on features with few bins and with many bins. */
async function choosing(of: ComposedAlgorithm, context: Context): Promise<void> {
  const { engine, check } = context;
  const { slug: algorithm } = of;
  const bins = [16, limits.SMALL_BINS, 300, 1024];
  const candidates = bins.map((few) => of.candidates(few));
  for (const slug of new Set(candidates.flat())) {
    check.ok(`${algorithm} is claimed without ${slug}`, engine.weighted.includes(slug));
  }
  const tried = await made(engine, "u16", bins, 2000, { spread: { kind: "zeros", share: 0.9 } });
  const { table } = tried;
  const weights = documentWeights("gauss", 2000);
  check.same("choices before", table.choices.length, 0);
  await compare("first round", tried, weights, { algorithm, features: [3, 0] }, context);
  check.same("features known", table.choices.map(({ feature }) => feature).join(), "0,3");
  await compare("the others, too", tried, weights, { algorithm }, context);
  const before = table.describeChoices();
  await compare("again", tried, weights, { algorithm }, context);
  check.same("choices after", table.describeChoices(), before);
  const { plans } = await table.sums(weights, { algorithm });
  for (const [feature, line] of before.split("\n").entries()) {
    const { algorithm: chosen, ms } = table.choices[feature]!;
    const tries = candidates[feature]!;
    // A device leaves out candidates that it cannot run, or only in many passes.
    const timed = Object.keys(ms);
    check.ok(`feature ${feature} was assigned to ${chosen}`, tries.includes(chosen));
    check.ok(
      `${timed} are candidates`,
      timed.every((slug) => tries.includes(slug)),
    );
    check.ok(line, line.startsWith(`feature ${feature}: ${bins[feature]} bins, `));
    // A single candidate needs no first round. With several, the line includes the times of the others.
    check.ok(`${line}: times`, tries.length === 1 ? timed.length === 0 : timed.includes(chosen));
    check.same(`${line}: others`, line.match(/, \d+\.\dx /g)?.length ?? 0, Math.max(0, timed.length - 1));
    check.same("plan", plans[feature]!.algorithm, chosen);
  }
  await table.free();
}
