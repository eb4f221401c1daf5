export { Context } from "./context.ts";
export { extentOf } from "./deliver/extent.ts";
export { LateEncodings } from "./deliver/late-encodings.ts";
export { ResidentCalls } from "./deliver/resident-calls.ts";
export { refuses } from "./prepare/refuses.ts";
export { preparersOf } from "./preparers.ts";
