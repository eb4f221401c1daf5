export { completionsCommand } from "./command.ts";
export { usageOf } from "./usage.ts";
