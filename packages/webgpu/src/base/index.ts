export { failure, wrong } from "./failure.ts";
export type { Known } from "./known.ts";
export { Lately } from "./lately.ts";
export { checkedOptions, type DawnOptions, NAMES, type WebgpuOptions } from "./options.ts";
export { type LaterText, loadedTexts, type ShaderText } from "./text.ts";
export type { WebgpuLimits } from "./webgpu-limits.ts";
