import { html, type TemplateResult } from "lit-html";
import type { ListedBackend } from "../../../server/backends.ts";
import { sizeOf } from "../../data/index.ts";
import { type Context, chosen, plain, select } from "../../show/index.ts";
import type { Job } from "./runs.ts";

const POWERS: readonly string[] = ["16", "18", "20", "22", "24", "26", "28"];
const DISTRIBUTIONS: readonly string[] = ["uniform", "zeros", "ramp", "two"];
const ROUNDS: readonly string[] = ["20", "50", "200"];
const AUTO = "auto";
const KS: readonly string[] = [AUTO, "1", "2", "4", "8", "16", "32", "63"];

/** Algorithms for bytes in 256 bins. Weighted ones need weights, and per-thread-64 has at most 64 bins. */
const applies = (slug: string): boolean => !slug.startsWith("weighted-") && slug !== "per-thread-64";

/** Draws the fields that the chosen job has, and reads the job from the address. */
export function form(
  context: Context,
  backends: readonly ListedBackend[],
): { readonly job: Job; readonly fields: TemplateResult } {
  const ids = backends.map(({ id }) => id);
  const backend = chosen(context, "backend", ids);
  const slugs = [AUTO, ...backends.find(({ id }) => id === backend)!.algorithms.filter(applies)];
  const algorithm = chosen(context, "algorithm", slugs);
  const k = algorithm === "trish" ? chosen(context, "k", KS) : AUTO;
  const power = chosen(context, "power", POWERS, "24");
  const distribution = chosen(context, "distribution", DISTRIBUTIONS);
  const rounds = chosen(context, "rounds", ROUNDS);
  const job: Job = {
    backend,
    algorithm,
    distribution,
    power: Number(power),
    rounds: Number(rounds),
    ...(k === AUTO ? {} : { k: Number(k) }),
  };
  const sizes = POWERS.map((value) => ({ value, label: sizeOf(2 ** Number(value)) }));
  const go = (name: string) => (value: string) => context.select({ [name]: value });
  const fields = html`
    ${select("Backend", plain(ids), backend, (value) => context.select({ backend: value, algorithm: null, k: null }))}
    ${select("Algorithm", plain(slugs), algorithm, (value) => context.select({ algorithm: value, k: null }))}
    ${algorithm === "trish" ? select("k", plain(KS), k, go("k")) : null}
    ${select("Bytes", sizes, power, go("power"))}
    ${select("Distribution", plain(DISTRIBUTIONS), distribution, go("distribution"))}
    ${select("Rounds", plain(ROUNDS), rounds, go("rounds"))}`;
  return { job, fields };
}

/** Names a job: `cpu auto, 2²⁴ bytes, uniform`. */
export const nameOf = ({ backend, algorithm, distribution, power, k }: Job): string =>
  `${backend} ${algorithm}${k === undefined ? "" : `, k ${k}`}, ${sizeOf(2 ** power)} bytes, ${distribution}`;
