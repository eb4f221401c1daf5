export { checkedTable } from "../../input/index.ts";
export { tableHost } from "./host.ts";
export { FeatureTable } from "./table.ts";
