// One table for each group of workers, which add to it with atomics. It is a warp's histogram with workers as lanes.
//
//   shared memory   [group][cell]   32 bits
//
// Bound: the atomic addition, as with `global`; fewer workers meet.
// Source: Podlozhnyuk 2009, "Implementation of oclHistogram256", with atomics for collisions. The software tag needs
// lanes in lock-step, and workers do not run in lock-step.
import { algorithms } from "@polybin/core/backend";
import { countAtomically, type Kernel } from "../lib/kernel.ts";

export const kernel: Kernel = {
  algorithm: algorithms["per-warp"],
  sharing: ({ threads }) => threads,

  count: (wasm, codes, _plan, shared) => countAtomically(wasm, codes, shared!),
  finish: () => {},
};
