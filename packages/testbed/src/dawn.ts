/**
 * Toggles with which the tests open Dawn, in Node and in Chromium. SwiftShader compiles a zeroed workgroup array into
 * one store per word, which takes seconds per kernel. Drivers without that extension get a loop, which takes a tenth.
 */
export const DAWN: readonly string[] = [
  "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension",
];
