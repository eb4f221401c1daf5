import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { freeAndOthers } from "./table-7.ts";

/** Few bins are up to this number (6.3). */
const FEW = 128;
/** The collision-free method, and the better of the other two, for few bins. */
export function betterOfOthers(measured: Measured): Point[] {
  return freeAndOthers(measured)
    .filter(({ bins }) => bins <= FEW)
    .flatMap(({ bins, free, others }) => [
      { series: "collision-free", x: bins, y: free },
      { series: "better of the others", x: bins, y: others },
    ]);
}
