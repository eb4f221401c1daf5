export { Context } from "./context.ts";
export { extentOf } from "./deliver/extent.ts";
export { refuses } from "./prepare/refuses.ts";
export { preparersOf } from "./preparers.ts";
