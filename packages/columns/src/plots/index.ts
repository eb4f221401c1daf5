/** Pictures of counts: how many fit a drawing, how high they are, and Vega's drawing of them. */
export { type Columns, columnsOf, heightOf, logFloor, type Scale, scaleFor } from "./counts.ts";
export { type Heat, heatOf, type Joint } from "./heat.ts";
export { svgOf } from "./svg.ts";
