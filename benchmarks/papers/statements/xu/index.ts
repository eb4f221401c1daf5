import type { Statement } from "../statement.ts";
import { fewBins } from "./few-bins.ts";
import { manyBins } from "./many-bins.ts";
import { methods } from "./methods.ts";
import { problem } from "./problem.ts";

export const xu: readonly Statement[] = [...problem, ...methods, ...fewBins, ...manyBins];
