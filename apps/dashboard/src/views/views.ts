import { throughput } from "./throughput.ts";
import type { View } from "./view.ts";

/** All views, in the order of their links. */
export const VIEWS: readonly View[] = [throughput];
