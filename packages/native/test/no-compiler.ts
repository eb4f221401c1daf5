/** Why the tests of WebAssembly are skipped. */
export const NO_COMPILER = "the build had no compiler for WebAssembly (scripts/webassembly.mjs)";
