export { type PiscinaOptions, piscina } from "./backend.ts";
