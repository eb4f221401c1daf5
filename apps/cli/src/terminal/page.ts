const NARROWEST = 40;
const WIDEST = 160;
const DEFAULT_WIDTH = 80;

/** The width of a page of text, and whether it may have colours. */
export interface Page {
  readonly width: number;
  readonly colour: boolean;
  /** Whether its background is dark or light. Null if the terminal does not say so. */
  readonly background?: "dark" | "light" | null;
}

/** The colours of a terminal, in the order of COLORFGBG, whose text is dark: white and bright colours. */
const LIGHT: ReadonlySet<string> = new Set(["7", "9", "10", "11", "12", "13", "14", "15"]);

/** The last number of COLORFGBG is the colour of the background. */
function backgroundOf(colours: string | undefined): "dark" | "light" | null {
  const found = colours?.split(";").at(-1);
  if (found === undefined || !/^\d+$/.test(found)) return null;
  return LIGHT.has(found) ? "light" : "dark";
}

/** The page of stdout, 40 to 160 columns wide: as wide as the terminal, or as `COLUMNS`. */
export function stdoutPage(): Page {
  const width = process.stdout.columns || Number(process.env.COLUMNS) || DEFAULT_WIDTH;
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isCapable = process.stdout.isTTY === true && TERM !== "dumb";
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : isCapable;
  const background = backgroundOf(process.env.COLORFGBG);
  return { width: Math.min(Math.max(width, NARROWEST), WIDEST), colour, background };
}
