export { binsOf, columnsFor, sumOf } from "./columns.ts";
export { type Figure, figure, type Mark, type Pin, type Series } from "./figure.ts";
