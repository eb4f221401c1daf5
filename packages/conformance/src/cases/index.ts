import type { Topic } from "../case.ts";
import { axes } from "./axes.ts";
import { claims } from "./claims.ts";
import { parameters } from "./parameters.ts";
import { sizes } from "./sizes.ts";

/** The contract, topic by topic. */
export const topics: readonly Topic[] = [claims, axes, sizes, parameters];
