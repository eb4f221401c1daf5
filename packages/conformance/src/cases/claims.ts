import type { SampleType } from "@polybin/core";
import { type Algorithm, algorithms, limits, SAMPLE_TYPES, SLUGS } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import { type Case, type Context, Skip, type Topic } from "../case.ts";
import { generate } from "../generators.ts";

/** Cases of every slug. A claimed one must count something; others must be refused. */
export const claims: Topic = ({ algorithms: claimedOnes, slugs }) => [
  ...[...new Set([...SLUGS, ...slugs])].map(
    (slug): Case => ({
      topic: "claims",
      name: slug,
      run: (context) => (slugs.includes(slug) ? claimed(slug, context) : unclaimed(slug, context)),
    }),
  ),
  {
    topic: "claims",
    name: "the engine lists the backend's algorithms, each once",
    async run({ backend, engine, check }) {
      check.same(
        "engine.algorithms",
        engine.algorithms.join(),
        backend.algorithms.map(({ slug }) => slug).join(),
      );
      check.same("different slugs", new Set(slugs).size, slugs.length);
      // A backend's own algorithm may have any name except those of core's algorithms.
      const known: Readonly<Record<string, Algorithm>> = algorithms;
      for (const { slug, title, source } of claimedOnes) {
        const same = known[slug] ?? { title, source };
        check.same(`title and source of ${slug}`, `${title}: ${source}`, `${same.title}: ${same.source}`);
      }
      check.ok("the device has a name", engine.device.length > 0);
      check.same("backend", engine.backend, backend.id);
    },
  },
  {
    topic: "claims",
    name: "probe and open agree",
    async run({ backend, check }) {
      const probe = await backend.probe();
      check.same("available", probe.available, true);
      if (!probe.available) return;
      check.ok("the probe names the device", probe.device.length > 0);
      check.ok("software is a boolean or undefined", [undefined, true, false].includes(probe.software));
    },
  },
];

/** A number of bins that every algorithm supports. */
const BINS = limits.PER_THREAD_64_BINS;

function requestFor(algorithm: string, type: SampleType, samples: number) {
  return { algorithm, type, axis: wholeAxis(type, BINS), samples };
}

/** A slug that refuses every request has no kernel, whatever the backend claims. */
async function claimed(slug: string, { engine, check }: Context): Promise<void> {
  const refusals: string[] = [];
  for (const type of SAMPLE_TYPES) {
    const samples = generate(type, "uniform", limits.BYTE_VALUES);
    const found = await engine.supports(requestFor(slug, type, samples.length));
    if (typeof found === "string") {
      refusals.push(found);
      await check.rejects(
        `${slug} of ${type}, which supports refuses with "${found}"`,
        () => engine.histogram(samples, { algorithm: slug, axis: wholeAxis(type, BINS) }),
        { code: "ERR_UNSUPPORTED" },
      );
    } else await check.counts(engine, samples, type, wholeAxis(type, BINS), { algorithm: slug });
  }
  check.ok(
    `${slug} is claimed but refuses every sample type: ${[...new Set([...refusals, ...check.refusals])].join("; ")}`,
    refusals.length < SAMPLE_TYPES.length && check.refusals.length === 0,
  );
}

async function unclaimed(slug: string, { engine, check }: Context): Promise<void> {
  const found = await engine.supports(requestFor(slug, "u8", 1));
  check.ok(`supports has a plan for ${slug}, which is not claimed`, typeof found === "string");
  await check.rejects(
    `${slug}, which is not claimed`,
    () => engine.histogram(Uint8Array.of(1), { algorithm: slug, axis: wholeAxis("u8", BINS) }),
    { code: "ERR_UNSUPPORTED" },
  );
  check.finish();
  throw new Skip(String(found));
}
