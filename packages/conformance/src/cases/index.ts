import type { Topic } from "../case.ts";
import { axes } from "./axes.ts";
import { claims } from "./claims.ts";
import { flow } from "./flow.ts";
import { layout } from "./layout.ts";
import { numpyVectors } from "./numpy.ts";
import { parameters } from "./parameters.ts";
import { sizes } from "./sizes.ts";
import { views } from "./views.ts";

/** The contract, topic by topic. */
export const topics: readonly Topic[] = [claims, axes, sizes, parameters, flow, numpyVectors, views, layout];
