import { composedAlgorithms } from "@polybin/core/backend";
import { sumsChoice } from "../descriptor.ts";

/** Xu et al.'s hybrid: for each feature the fastest of three other algorithms. */
export const kernel = sumsChoice(composedAlgorithms["weighted-hybrid"]);
