import type { Request } from "./request.ts";
export const codeOf = (steps: readonly Request[]): string => JSON.stringify(steps);
