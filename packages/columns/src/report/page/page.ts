import type { ProfileJson } from "../../profile/index.ts";
import { type Finding, findings } from "../findings.ts";
import { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { duration, plural, whole } from "../text/numbers.ts";
import { plainName, visible } from "../text/visible.ts";
import { card } from "./card.ts";
import { correlations } from "./correlations.ts";
import { documentOf } from "./document.ts";
import { MOST_CARDS } from "./limits.ts";
import { list } from "./list.ts";
import { fileList, findingList, tiles } from "./overview.ts";
import { pairs } from "./pairs.ts";

const TITLE = 120;

/** Texts of the caller. */
export interface Heading {
  readonly title: string | undefined;
  readonly date: Date | undefined;
}

/** The whole page as text. */
export async function page(
  profile: ProfileJson,
  heading: Heading,
  signal: AbortSignal | undefined,
): Promise<string> {
  const found = findings(profile);
  const notes: Finding[][] = profile.columns.map(() => []);
  for (const finding of found) if (finding.column !== null) notes[finding.column]!.push(finding);
  const plotter = new Plotter();
  const cards: Html[] = [];
  for (const i of profile.columns.slice(0, MOST_CARDS).keys()) {
    signal?.throwIfAborted();
    cards.push(await card(plotter, profile, i, notes[i]!));
  }
  const title = plainName(heading.title ?? titleOf(profile), TITLE);
  return documentOf({
    title,
    kind: "profile",
    subtitle: subtitle(profile, heading),
    header: html`${tiles(profile)}
${fileList(profile)}`,
    main: html`${findingList(found, profile.columns)}
<section aria-labelledby="columns"><h2 id="columns" tabindex="-1">Columns</h2>${list(profile.columns, notes)}</section>
${await pairs(plotter, profile)}
${await correlations(plotter, profile)}
<section aria-labelledby="details"><h2 id="details">Each column</h2>${legend(profile.columns.length)}${cards}</section>`,
    footer: footer(profile),
  });
}

/** The name of the only file, without its folders, or the number of files. */
export function titleOf({ files }: ProfileJson): string {
  if (files.length === 1) {
    const { name } = files[0]!;
    return name === "-" ? "standard input" : (name.split(/[\\/]/).findLast((part) => part !== "") ?? name);
  }
  return plural(files.length, "file");
}

function subtitle({ files }: ProfileJson, heading: Heading): string {
  const formats = [...new Set(files.map(({ format }) => format))].map((format) => visible(format));
  return `Profile of every column${formats.length > 0 ? ` (${formats.join(", ")})` : ""}${whenText(heading)}`;
}

/** The date of a page, if it has one. */
export const whenText = ({ date }: Heading): string =>
  date === undefined ? "" : `, ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** How to read the strip below a histogram. */
function legend(columns: number): Html {
  const isCut = columns > MOST_CARDS;
  return html`${isCut && html`<p>The details of the first ${whole(MOST_CARDS)} of ${whole(columns)} columns follow.</p>`}<p class="small quiet">Bars are counts on a linear scale. The box below them goes from the 25% to the 75% quantile, its line from 5% to 95%, and the mark is the median.</p>`;
}

/** The passes and the time of each. Columns whose values are kept are counted again from memory. */
function footer({ backend, device, passes, timings: { passMs } }: ProfileJson): string {
  const inMemory = Math.max(0, passMs.length - passes);
  const read = `${numberOf(passes)} over the files`;
  const work = inMemory > 0 ? `${read} and ${numberOf(inMemory)} over values in memory` : read;
  const each = passMs.length === 0 ? "" : ` (${passMs.map(duration).join(", ")})`;
  return `Counted exactly by polybin on ${visible(backend)} (${visible(device)}) in ${work}${each}.`;
}

const numberOf = (passes: number): string => (passes === 1 ? "one pass" : `${passes} passes`);
