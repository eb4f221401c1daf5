// One table for each group of workers, which add to it with atomics: a warp's histogram, a worker its lane.
//
//   shared memory   [group][cell]   32 bits
//
// Bound: the atomic add, as with `global`; fewer workers meet.
// Source: Podlozhnyuk 2009, "Implementation of oclHistogram256", with atomics for collisions. The software
// tag needs lanes in lock-step, which workers are not.
import { algorithms } from "@polybin/core/backend";
import { countAtomically, type Kernel } from "../lib/kernel.ts";

export const kernel: Kernel = {
  algorithm: algorithms["per-warp"],
  sharing: ({ threads }) => threads,

  count: (wasm, codes, _plan, shared) => countAtomically(wasm, codes, shared!),
  finish: () => {},
};
