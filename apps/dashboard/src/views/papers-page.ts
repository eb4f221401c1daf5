import { html, type TemplateResult } from "lit-html";
import type { Page, PageCell, PageSection } from "../data/papers.ts";
import { type Cell, table } from "../show/table.ts";

/** Draws the story of a report: the same sentences and tables as its Markdown. `link` makes the address of a figure. */
export function story({ lead, sections }: Page, link: (figure: string) => string): TemplateResult {
  return html`${lead.map(sentence)}${sections.map((section) => drawn(section, link))}`;
}

function drawn({ title, text, table: of }: PageSection, link: (figure: string) => string): TemplateResult {
  return html`<h2>${title}</h2>
    ${text.map(sentence)}
    ${
      of === null || of.rows.length === 0
        ? null
        : table(
            of.columns,
            of.rows.map((row) => row.map((cell) => shown(cell, link))),
            { numbers: of.numbers },
          )
    }`;
}

const sentence = (text: string): TemplateResult => html`<p>${withCode(text)}</p>`;

function shown(cell: PageCell, link: (figure: string) => string): Cell {
  if (typeof cell === "string") return cell.includes("`") ? html`${withCode(cell)}` : cell;
  return html`<a href=${link(cell.figure)}>${cell.text}</a>`;
}

/** Replaces text between backquotes by code. */
function withCode(text: string): (string | TemplateResult)[] {
  return text.split("`").map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}
