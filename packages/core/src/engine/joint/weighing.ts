import { loadedOnce } from "../../base/index.ts";

/** Loads the code of weights, which most calls do not need. */
export const weighing: () => Promise<typeof import("./weigh.ts")> = loadedOnce(() => import("./weigh.ts"));
