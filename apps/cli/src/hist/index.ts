export { histCommand } from "./command.ts";
