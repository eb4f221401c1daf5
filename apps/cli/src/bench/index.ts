export { benchCommand, papersCommand } from "./command.ts";
