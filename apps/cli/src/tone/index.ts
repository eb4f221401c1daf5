export { toneCommand } from "./command.ts";
