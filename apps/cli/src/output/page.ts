const NARROWEST = 40;
const WIDEST = 160;
const DEFAULT_WIDTH = 80;

/** How wide a page of text may be, and whether it may have colours. */
export interface Page {
  readonly width: number;
  readonly colour: boolean;
}

/** The page that stdout is: a terminal's width, else that of `COLUMNS`, from 40 to 160 columns. */
export function stdoutPage(): Page {
  const width = process.stdout.columns || Number(process.env.COLUMNS) || DEFAULT_WIDTH;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : process.stdout.isTTY === true;
  return { width: Math.min(Math.max(width, NARROWEST), WIDEST), colour };
}
