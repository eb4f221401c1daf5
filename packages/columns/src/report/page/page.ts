import type { ProfileJson } from "../../profile/index.ts";
import { type Finding, findings } from "../findings.ts";
import { Plotter } from "../plots/svg.ts";
import { Html, html } from "../text/html.ts";
import { duration, plural, whole } from "../text/numbers.ts";
import { plainName, visible } from "../text/visible.ts";
import { card } from "./card.ts";
import { MOST_CARDS } from "./limits.ts";
import { list } from "./list.ts";
import { fileList, findingList, tiles } from "./overview.ts";
import { pairs } from "./pairs.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#5b86e5" d="M1 10h4v5H1zM6 1h4v14H6zM11 6h4v9h-4z"/></svg>`;
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
  for (const [i, column] of profile.columns.slice(0, MOST_CARDS).entries()) {
    signal?.throwIfAborted();
    cards.push(await card(plotter, column, i, notes[i]!));
  }
  const title = plainName(heading.title ?? titleOf(profile), TITLE);
  const policy = [
    "default-src 'none'",
    `style-src '${await hash(STYLE)}'`,
    `script-src '${await hash(SCRIPT)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}: profile</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#columns">Skip to the columns</a>
<header>
<h1><bdi>${title}</bdi></h1>
<p class="quiet">${subtitle(profile, heading)}</p>
${tiles(profile)}
${fileList(profile)}
</header>
<main>
${findingList(found, profile.columns)}
<section aria-labelledby="columns"><h2 id="columns" tabindex="-1">Columns</h2>${list(profile.columns, notes)}</section>
${await pairs(plotter, profile)}
<section aria-labelledby="details"><h2 id="details">Each column</h2>${legend(profile.columns.length)}${cards}</section>
</main>
<footer>${footer(profile)}</footer>
${new Html(`<script>${SCRIPT}</script>`)}
</body>
</html>
`;
  return markup;
}

function titleOf({ files }: ProfileJson): string {
  if (files.length === 1) {
    const { name } = files[0]!;
    return name === "-" ? "standard input" : (name.split(/[\\/]/).findLast((part) => part !== "") ?? name);
  }
  return plural(files.length, "file");
}

function subtitle({ files }: ProfileJson, { date }: Heading): string {
  const formats = [...new Set(files.map(({ format }) => format))].map((format) => visible(format));
  const when = date === undefined ? "" : `, ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `Profile of every column${formats.length > 0 ? ` (${formats.join(", ")})` : ""}${when}`;
}

/** How to read the strip below a histogram. */
function legend(columns: number): Html {
  const isCut = columns > MOST_CARDS;
  return html`${isCut && html`<p>The details of the first ${whole(MOST_CARDS)} of ${whole(columns)} columns follow.</p>`}<p class="small quiet">Bars are counts on a linear scale. The box below them goes from the 25% to the 75% quantile, its line from 5% to 95%, and the mark is the median.</p>`;
}

function footer({ backend, device, passes, timings }: ProfileJson): string {
  const each = timings.passMs.map(duration).join(", ");
  return `Counted exactly by polybin on ${visible(backend)} (${visible(device)}) in ${passes === 1 ? "one pass" : `${passes} passes`}${each === "" ? "" : ` of ${each}`}.`;
}

/** The hash by which the policy allows a text of the page, and no other. */
async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
