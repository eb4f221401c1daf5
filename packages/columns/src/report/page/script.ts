/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Lets the reader sort and search, and see the counts of bars. It runs in the browser as its own source
 * text, so it uses nothing from outside of itself. Without it the page shows the same, in the order of the file.
 */
function enliven(): void {
  const list = document.querySelector<HTMLTableElement>("#list")!;
  const body = list.tBodies[0]!;
  const rows = [...body.rows];
  const key = (row: HTMLElement, by: string): number | string => {
    const value = row.dataset[by] ?? "";
    return by === "name" || by === "type" ? value : value === "" ? Number.NaN : Number(value);
  };
  const compare = (a: number | string, b: number | string): number => {
    if (typeof a === "string") return a.localeCompare(String(b), undefined, { numeric: true });
    return Number.isNaN(a) || Number.isNaN(b) ? 0 : a - Number(b);
  };
  const isMissing = (value: number | string): boolean => value === "" || Number.isNaN(value);

  for (const heading of list.querySelectorAll<HTMLElement>("th[data-by]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const isUp = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of list.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      const by = heading.dataset.by!;
      const keyed = rows.map((row) => ({ row, key: key(row, by) }));
      keyed.sort((a, b) => {
        const missing = Number(isMissing(a.key)) - Number(isMissing(b.key));
        return missing || (isUp ? 1 : -1) * compare(a.key, b.key);
      });
      body.append(...keyed.map(({ row }) => row));
    });
  }

  const search = document.querySelector<HTMLElement>(".search")!;
  const words = search.querySelector("input")!;
  const kind = search.querySelector("select")!;
  const found = search.querySelector("output")!;
  const filter = (): void => {
    const text = words.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = `${row.dataset.name} ${row.dataset.type} ${row.dataset.notes}`
        .toLowerCase()
        .includes(text);
      const isKind = kind.value === "" || ` ${row.dataset.kind} `.includes(` ${kind.value} `);
      row.hidden = !(fits && isKind);
      document.getElementById(row.dataset.card!)?.toggleAttribute("hidden", row.hidden);
      if (!row.hidden) shown += 1;
    }
    found.value = shown === rows.length ? "" : `${shown} of ${rows.length} columns`;
  };
  words.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  search.hidden = false;

  // A link leads to a card that the search has hidden.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null || !target.hidden) return;
    words.value = kind.value = "";
    filter();
    target.scrollIntoView();
  });

  // Tables of counts are made when they are opened: a thousand of them would make the page slow.
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details[data-edges]")) {
    details.hidden = false;
    details.addEventListener("toggle", () => {
      if (!details.open || details.querySelector("table") !== null) return;
      const edges = details.dataset.edges!.split("|");
      const table = document.createElement("table");
      const line = (tag: "th" | "td", ...cells: readonly string[]): HTMLTableRowElement => {
        const row = document.createElement("tr");
        for (const [i, text] of cells.entries()) {
          const cell = document.createElement(tag);
          cell.textContent = text;
          if (i === cells.length - 1) cell.className = "number";
          row.append(cell);
        }
        return row;
      };
      table.createTHead().append(line("th", "From", "To below", "Rows"));
      const counts = details.dataset.counts!.split(" ");
      const format = new Intl.NumberFormat("en-US");
      table
        .createTBody()
        .append(
          ...counts.map((count, i) => line("td", edges[i]!, edges[i + 1]!, format.format(Number(count)))),
        );
      const room = document.createElement("div");
      room.className = "bins";
      room.tabIndex = 0;
      room.setAttribute("role", "group");
      room.setAttribute("aria-label", details.querySelector("summary")!.textContent!);
      room.append(table);
      details.append(room);
    });
  }
}

/** The text of the page's script element. */
export const SCRIPT: string = `(${String(enliven)})()`;
