export { digitsOf, exactly } from "./exact.ts";
export { beginsWith } from "./head.ts";
export { decimalOf, edgeTexts, parseNumber, parseNumbers, parseWhole } from "./numbers.ts";
export {
  columnName,
  duration,
  edge,
  inputName,
  inputsName,
  plural,
  printable,
  throughput,
  whole,
} from "./words.ts";
