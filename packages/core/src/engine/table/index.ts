export { tableHost } from "./host.ts";
export { FeatureTable } from "./table.ts";
