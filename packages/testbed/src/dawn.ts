/**
 * How the tests open Dawn, in Node and in Chromium. SwiftShader compiles a zeroed workgroup array as a store for each
 * of its words, which takes it seconds a kernel; a loop, as drivers without that extension get, takes it a tenth.
 */
export const DAWN: readonly string[] = [
  "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension",
];
