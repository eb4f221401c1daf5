// The functions that the figures of this paper name: they return points, or causes of verdicts.
export * from "./causes.ts";
export * from "./cpu.ts";
export * from "./figure-7.ts";
export * from "./figure-8.ts";
export * from "./figure-9.ts";
export * from "./figure-10.ts";
export * from "./figure-11.ts";
export * from "./table-1.ts";
export * from "./table-2.ts";
export * from "./table-5.ts";
export * from "./table-6.ts";
export * from "./table-7.ts";
