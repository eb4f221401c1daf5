import { Html, html, type Part } from "../text/html.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#5b86e5" d="M1 10h4v5H1zM6 1h4v14H6zM11 6h4v9h-4z"/></svg>`;

/** The parts of a page. */
export interface Content {
  readonly title: string;
  /** The kind of page, in a word. */
  readonly kind: string;
  /** Below the title. */
  readonly subtitle: string;
  readonly header: Part;
  readonly main: Part;
  readonly footer: string;
}

/** The whole page as text. It holds its style and its script, and its policy forbids every request. */
export async function documentOf({ title, kind, subtitle, header, main, footer }: Content): Promise<string> {
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
<title>${title}: ${kind}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#columns">Skip to the columns</a>
<header>
<h1><bdi>${title}</bdi></h1>
<p class="quiet">${subtitle}</p>
${header}
</header>
<main>
${main}
</main>
<footer>${footer}</footer>
${new Html(`<script>${SCRIPT}</script>`)}
</body>
</html>
`;
  return markup;
}

/** The hash by which the policy allows a text of the page, and no other. */
async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
