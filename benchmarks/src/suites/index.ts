import type { Bench } from "../runner/bench.ts";
import type { Target } from "../runner/target.ts";
import { algorithms } from "./algorithms.ts";
import { backToBack } from "./back-to-back.ts";
import { calls } from "./calls.ts";
import { cub } from "./cub.ts";
import { devices } from "./devices.ts";
import { figure6 } from "./figure6.ts";
import { handbook } from "./handbook.ts";
import { hardavellas } from "./hardavellas.ts";
import { headline } from "./headline.ts";
import { joints } from "./joint.ts";
import { leak } from "./leak.ts";
import { luma } from "./luma.ts";
import { pictureSuite } from "./pictures.ts";
import { podlozhnyuk } from "./podlozhnyuk.ts";
import { reduce } from "./reduce.ts";
import { segments } from "./segments.ts";
import { table1 } from "./table1.ts";
import { transfer } from "./transfer.ts";
import { trish } from "./trish.ts";
import { trishVariants } from "./trish-variants.ts";
import { types } from "./types.ts";
import { upload } from "./upload.ts";
import { weighted } from "./weighted.ts";
import { weightedAtomics } from "./weighted-atomics.ts";
import { weightedCounters } from "./weighted-counters.ts";
import { weightedFetch, weightedHybrid, weightedReduce } from "./weighted-methods.ts";
import { weightedPaper, weightedParameters, weightedShapes } from "./weighted-paper.ts";

type Suite = (bench: Bench) => Promise<void>;

/** Suites of `run bench` for any GPU backend, by name. */
const COMMON: Readonly<Record<string, Suite>> = {
  headline,
  types,
  trish,
  "trish-variants": trishVariants,
  figure6,
  pictures: pictureSuite,
  algorithms,
  reduce,
  "back-to-back": backToBack,
  calls,
  segments,
  joint: joints,
  leak,
  weighted: (bench) => weighted(bench),
  "weighted-paper": (bench) => weightedPaper(bench),
  "weighted-parameters": (bench) => weightedParameters(bench),
  "weighted-shapes": (bench) => weightedShapes(bench),
  "weighted-hybrid": (bench) => weightedHybrid(bench),
};

/** Suites of the papers that need ncu or a program of CUDA. */
const PROFILED: Readonly<Record<string, Suite>> = {
  table1,
  podlozhnyuk,
  hardavellas,
  handbook,
  "weighted-counters": weightedCounters,
};

/** All suites by backend. */
export const SUITES: Readonly<Record<Target["id"], Readonly<Record<string, Suite>>>> = {
  cuda: {
    ...COMMON,
    ...PROFILED,
    cub,
    transfer,
    devices,
    "weighted-fetch": (bench) => weightedFetch(bench),
    "weighted-reduce": (bench) => weightedReduce(bench),
    "weighted-atomics": (bench) => weightedAtomics(bench),
  },
  webgpu: { ...COMMON, luma, upload },
};
