export { mergeCommand } from "./command.ts";
