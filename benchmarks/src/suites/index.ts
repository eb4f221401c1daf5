import type { Bench } from "../runner/bench.ts";
import type { Target } from "../runner/target.ts";
import { backToBack } from "./back-to-back.ts";
import { calls } from "./calls.ts";
import { cub } from "./cub.ts";
import { devices } from "./devices.ts";
import { joints } from "./joint.ts";
import { leak } from "./leak.ts";
import { luma } from "./luma.ts";
import { weightedAtomics } from "./own-programs.ts";
import { pictureSuite } from "./pictures.ts";
import { podlozhnyuk } from "./podlozhnyuk.ts";
import { published } from "./published.ts";
import { segments } from "./segments.ts";
import { algorithms, figure6, headline, reduce, trish, types } from "./sweeps.ts";
import { handbook, hardavellas, table1 } from "./table1.ts";
import { transfer } from "./transfer.ts";
import { trishVariants } from "./trish-variants.ts";
import { upload } from "./upload.ts";
import { weighted } from "./weighted.ts";
import { weightedCounters } from "./weighted-counters.ts";
import {
  weightedFetch,
  weightedHybrid,
  weightedPaper,
  weightedParameters,
  weightedReduce,
  weightedShapes,
} from "./weighted-paper.ts";

export type Suite = (bench: Bench) => Promise<unknown>;

/** The suites of the papers' figures. */
export const PAPERS: Readonly<Record<string, Suite>> = {
  trish,
  "trish-variants": trishVariants,
  figure6,
  algorithms,
  "weighted-paper": weightedPaper,
  "weighted-parameters": weightedParameters,
  "weighted-shapes": weightedShapes,
};

/** Suites of `run bench` for any GPU backend, by name. */
const COMMON: Readonly<Record<string, Suite>> = {
  headline,
  types,
  ...PAPERS,
  pictures: pictureSuite,
  reduce,
  "back-to-back": backToBack,
  calls,
  segments,
  joint: joints,
  leak,
  weighted,
  "weighted-hybrid": weightedHybrid,
};

/** All suites by backend. Some need ncu or a program of CUDA. */
export const SUITES: Readonly<Record<Target["id"], Readonly<Record<string, Suite>>>> = {
  cuda: {
    ...COMMON,
    ...{ table1, podlozhnyuk, published, hardavellas, handbook, "weighted-counters": weightedCounters },
    ...{ cub, transfer, devices, "weighted-fetch": weightedFetch, "weighted-reduce": weightedReduce },
    "weighted-atomics": weightedAtomics,
  },
  webgpu: { ...COMMON, luma, upload },
};
