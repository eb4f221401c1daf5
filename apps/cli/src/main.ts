#!/usr/bin/env node
import module from "node:module";

// Compiling takes half of the time of loading. Code that is imported below is not compiled again the next time. Node 22.0
// has no cache.
module.enableCompileCache?.();
const { run } = await import("./run.ts");
await run();
