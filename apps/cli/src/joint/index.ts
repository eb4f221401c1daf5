export { jointCommand } from "./command.ts";
