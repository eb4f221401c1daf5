export { LIVE } from "./load.ts";
