// Launches weighted.as.ts with the plan's tables, which neighbouring documents take turns at.
import { inOwnTables, type WeightedKernel } from "./weighted.ts";

export const weightedFixedPoint: WeightedKernel = inOwnTables;
