/** The colours of the page: the system's, or the reader's choice, which the browser remembers. */
export type Theme = "system" | "light" | "dark";

const KEY = "polybin-theme";
const isTheme = (value: unknown): value is Theme =>
  value === "system" || value === "light" || value === "dark";

/** Returns the reader's choice, or the system's colours if the browser remembers none. */
export function theme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return isTheme(kept) ? kept : "system";
  } catch {
    return "system";
  }
}

/** Shows the page in these colours from now on. */
export function setTheme(value: Theme): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The choice then lasts while the page is open.
  }
  applyTheme(value);
}

export function applyTheme(value: Theme): void {
  document.documentElement.dataset.theme = value;
}
