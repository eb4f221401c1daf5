export { typeName, type ValueText, valueTextOf } from "./value-text.ts";
