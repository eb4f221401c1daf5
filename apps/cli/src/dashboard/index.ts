export { dashboardCommand } from "./command.ts";
