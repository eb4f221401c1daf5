export { type Builder, builderOf, memoryOf } from "./builders.ts";
export { TypeGuess } from "./infer.ts";
export { misfit } from "./misfit.ts";
export { checkTypes, nameOfType, type TypeName, type TypesOption } from "./text-type.ts";
export { Nulls } from "./validity.ts";
