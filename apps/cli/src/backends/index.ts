export { backendsCommand } from "./command.ts";
