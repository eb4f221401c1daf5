import { type ErrorCode, PolybinError } from "@polybin/core";

/** What helped, in the words of a program that calls `decode`. */
const LENIENT = "lenient: true takes what can be decoded";

/** A picture that was not decoded, and why. */
export class PictureError extends PolybinError {
  /** The message without what helps: a program with words of its own for that puts them behind this. */
  readonly said: string;
  /** Would `lenient: true` decode the picture? */
  readonly lenientHelps: boolean;

  constructor(
    code: ErrorCode,
    said: string,
    { lenientHelps = false, cause }: { readonly lenientHelps?: boolean; readonly cause?: unknown } = {},
  ) {
    super(code, lenientHelps ? `${said}; ${LENIENT}` : said, { cause });
    this.said = said;
    this.lenientHelps = lenientHelps;
  }
}
