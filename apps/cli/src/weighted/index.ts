export { weightedCommand } from "./command.ts";
