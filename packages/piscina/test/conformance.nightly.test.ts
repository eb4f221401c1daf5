import { contract } from "./contract.ts";

for (const threads of [1, 3]) contract(threads);
