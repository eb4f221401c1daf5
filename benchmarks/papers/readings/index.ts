export { before, ratio, ratioSide, ratios, steadier, winsShare } from "./factors.ts";
export { follows, order, trend } from "./order.ts";
export { best, crossover, fullFrom, lastAbove } from "./places.ts";
export { digits } from "./points.ts";
export { rule } from "./rule.ts";
export { scaling, steadiness } from "./shares.ts";
