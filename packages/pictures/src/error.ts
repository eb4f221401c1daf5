import { type ErrorCode, PolybinError } from "@polybin/core";

/** The advice for a program that calls `decode`. */
const LENIENT = "lenient: true decodes what it can";

/** Returns the error for an undamaged picture that cannot be decoded. */
export function unsupported(
  format: string,
  name: string,
  why: string,
  details: { readonly lenientHelps?: boolean; readonly cause?: unknown } = {},
): PictureError {
  const said = `expected a ${format} picture that can be decoded but ${name} cannot be: ${why}`;
  return new PictureError("ERR_UNSUPPORTED", said, details);
}

/** A picture that was not decoded, and why. */
export class PictureError extends PolybinError {
  /** The message without the advice. A program with advice of its own appends that to this. */
  readonly said: string;
  /** Whether `lenient: true` would decode the picture. */
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
