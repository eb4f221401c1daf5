import { composedAlgorithms } from "@polybin/core/backend";
import type { Composed } from "../lib/kernel.ts";

export const kernel: Composed = { kind: "composed", algorithm: composedAlgorithms["weighted-hybrid"] };
