export { side } from "./draw.ts";
export {
  before,
  bestSide,
  factor,
  ratio,
  ratioMagnitude,
  ratioSide,
  ratios,
  ratiosFrom,
  ratiosMagnitude,
  ratiosSide,
  ratioWithin,
  relative,
  steadier,
  winsShare,
} from "./factors.ts";
export { below, level, lowest, none } from "./levels.ts";
export { follows, order, orderOfPlaces, trend } from "./order.ts";
export { best, crossover, firstBelow, fullFrom, lastAbove } from "./places.ts";
export { digits, value } from "./points.ts";
export { rule } from "./rule.ts";
export { scaling, steadiness } from "./shares.ts";
