/** The roles that VitePress gives to its search, and better ones: a button and an option must not contain links. */
const ROLES: readonly (readonly [before: string, after: string])[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    `role="dialog"
      aria-modal="true"
      aria-label="Search"`,
  ],
  [`:role="results?.length ? 'listbox' : undefined"`, ""],
  [
    `:aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    "",
  ],
];

const SEARCH = "/VPLocalSearchBox.vue";

/** A plugin of Vite that makes the search a dialog with a list of links. */
export const SEARCH_DIALOG = {
  name: "search-dialog",
  enforce: "pre" as const,
  transform(code: string, id: string): string | null {
    if (!id.endsWith(SEARCH)) return null;
    let changed = code;
    for (const [before, after] of ROLES) {
      if (!changed.includes(before)) throw new Error(`expected VitePress' search to contain ${before}`);
      changed = changed.replace(before, after);
    }
    return changed;
  },
};
