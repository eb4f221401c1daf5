import { contract } from "./contract.ts";

for (const threads of [1, 7]) contract(threads);
