export { digitsOf, exactly } from "./exact.ts";
export { decimalOf, edgeTexts, parseNumber, parseNumbers, parseWhole } from "./numbers.ts";
export {
  columnName,
  edge,
  inputName,
  inputsName,
  milliseconds,
  plural,
  printable,
  throughput,
  whole,
} from "./words.ts";
