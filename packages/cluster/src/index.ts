export * from "./shards/index.ts";
