export { checkedTable } from "../../input/index.ts";
export { tablesOf } from "./open-tables.ts";
export { FeatureTable } from "./table.ts";
