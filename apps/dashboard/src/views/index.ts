export { loadAhead } from "./live.ts";
export { GROUPS, VIEWS } from "./views.ts";
