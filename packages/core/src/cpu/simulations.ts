// The simulations of core's own algorithms: in a file of its own, which is loaded when one first runs.
export { references } from "../algorithms/index.ts";
