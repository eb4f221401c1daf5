import type { LogicalType, TimeUnit } from "../../../table/index.ts";
import { daysIn, FORMS, instantIn, pointed, type TextForms } from "./forms.ts";
import { isFloat } from "./numbers.ts";
import { logicalOf, type TypeName } from "./text-type.ts";
import type { Instant } from "./times.ts";

const INTEGER = /^[+-]?\d+$/;
/** A number would lose such zeros, as those of 007, a postcode or an account. */
const LEADING_ZERO = /^[+-]?0\d/;
const BOOLEAN = /^(?:true|false)$/i;
/** A column may have all of one word by chance: no is Norway, too. */
const ANSWERS = ["yes", "no"];
const I32_DIGITS = 9;
const U64_MAX = 2n ** 64n - 1n;
const I64_MAX = 2n ** 63n - 1n;

/** Guesses the type of a column from some of its texts. */
export class TypeGuess {
  #values = 0;
  #nulls = 0;
  readonly #fits = { integer: true, float: true, boolean: true, answer: true, date: true, timestamp: true };
  readonly #answers = new Set<string>();
  readonly #forms: TextForms;
  #min = 0n;
  #max = 0n;
  #digits = 0;
  #offset: boolean | null = null;
  readonly #instant: Instant = { seconds: 0, nanoseconds: 0, digits: 0, hasOffset: false };

  constructor(forms: TextForms = FORMS) {
    this.#forms = forms;
  }

  /** Whether a null was seen. */
  get nullable(): boolean {
    return this.#nulls > 0;
  }

  seeNull(): void {
    this.#nulls++;
  }

  /** Looks at one text that is not null. Numbers, booleans and times may have spaces around them. */
  see(text: string): void {
    this.#values++;
    const fits = this.#fits;
    const trimmed = text.trim();
    if (LEADING_ZERO.test(trimmed)) fits.integer = fits.float = false;
    if (fits.integer) this.#seeInteger(trimmed);
    if (fits.float) fits.float = isFloat(pointed(trimmed, this.#forms.decimal));
    if (fits.boolean) fits.boolean = BOOLEAN.test(trimmed);
    if (fits.answer) this.#seeAnswer(trimmed.toLowerCase());
    if (fits.date) fits.date = daysIn(trimmed, this.#forms) !== null;
    if (fits.timestamp) this.#seeTimestamp(trimmed);
  }

  #seeInteger(text: string): void {
    if (!INTEGER.test(text)) {
      this.#fits.integer = false;
      return;
    }
    // Most integers are too short to matter.
    if (text.length <= I32_DIGITS && text[0] !== "-") return;
    const value = BigInt(text[0] === "+" ? text.slice(1) : text);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  #seeAnswer(text: string): void {
    this.#fits.answer = ANSWERS.includes(text);
    this.#answers.add(text);
  }

  #seeTimestamp(text: string): void {
    const instant = this.#instant;
    if (
      !instantIn(text, this.#forms, instant) ||
      (this.#offset !== null && this.#offset !== instant.hasOffset)
    ) {
      this.#fits.timestamp = false;
      return;
    }
    this.#offset = instant.hasOffset;
    if (instant.digits > this.#digits) this.#digits = instant.digits;
  }

  /** Returns the type that all texts fit, or the stated one. Without any text it is a string. */
  type(stated: TypeName | undefined): LogicalType {
    return logicalOf(stated ?? this.#name(), this.#unit(), this.#offset ?? false);
  }

  #name(): TypeName {
    const { integer, float, boolean, answer, date, timestamp } = this.#fits;
    if (this.#values === 0) return "string";
    if (boolean || (answer && this.#answers.size === ANSWERS.length)) return "boolean";
    // A format such as %Y%m%d was stated, and integers were not.
    if (this.#forms.dateFormat !== null && (date || timestamp)) return date ? "date" : "timestamp";
    if (integer) return this.#integer();
    if (float) return "f64";
    if (date) return "date";
    return timestamp ? "timestamp" : "string";
  }

  #integer(): TypeName {
    if (this.#min >= -(2n ** 31n) && this.#max < 2n ** 31n) return "i32";
    // Integers of more than 64 bits stay i64, so that reading them is refused with the line.
    return this.#max > I64_MAX && this.#max <= U64_MAX && this.#min === 0n ? "u64" : "i64";
  }

  #unit(): TimeUnit {
    if (this.#digits <= 3) return "ms";
    return this.#digits <= 6 ? "us" : "ns";
  }
}
