export { demoCommand } from "./command.ts";
