export { binsOf, columnsFor, sumOf } from "./columns.ts";
export { figure, type Mark, type Pin, type Series } from "./figure.ts";
