export { clusterCommand } from "./command.ts";
