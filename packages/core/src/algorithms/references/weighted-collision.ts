export { sumInLanes as reference } from "../lib/weighted-simulate.ts";
