/** Markup that is already safe. Everything else is text, and is escaped. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Something that markup can hold. Null and false leave nothing. */
export type Part = Html | string | number | null | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for elements and for quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (of) => ENTITIES[of]!);

/** Builds markup from a template. Values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let markup = strings[0]!;
  for (const [i, value] of values.entries()) markup += markupOf(value) + strings[i + 1]!;
  return new Html(markup);
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (part === null || part === false) return "";
  if (typeof part === "object") return part.map(markupOf).join("");
  return escaped(String(part));
}
