const NARROWEST = 40;
const WIDEST = 160;
const DEFAULT_WIDTH = 80;

/** The width of a page of text, and whether it may have colours. */
export interface Page {
  readonly width: number;
  readonly colour: boolean;
}

/** The page of stdout, 40 to 160 columns wide: as wide as the terminal, or as `COLUMNS`. */
export function stdoutPage(): Page {
  const width = process.stdout.columns || Number(process.env.COLUMNS) || DEFAULT_WIDTH;
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isCapable = process.stdout.isTTY === true && TERM !== "dumb";
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : isCapable;
  return { width: Math.min(Math.max(width, NARROWEST), WIDEST), colour };
}
