export type { Builder } from "./builder.ts";
export { builderOf, memoryOf, valuesIn } from "./builders.ts";
export { TypeGuess } from "./infer.ts";
export { misfit } from "./misfit.ts";
export { isFloat } from "./numbers.ts";
export { StringBuilder, textChunk } from "./strings.ts";
export { checkedTypes, type TypeName, type Types, type TypesOption } from "./text-type.ts";
export { Nulls } from "./validity.ts";
