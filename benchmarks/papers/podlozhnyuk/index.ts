// The functions that the figures of this paper name: they return points, or causes of verdicts.
export * from "./causes.ts";
