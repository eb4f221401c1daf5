/** A line that extracts the values of the file at a path. If the path cannot be shown, the line has FILE in its place. */
export type Remedy = (path: string) => string;

/** A line for a POSIX shell. */
export const sh =
  (line: string): Remedy =>
  (path) =>
    filled(line, path, inShell);

/** A line of Python. */
export const python =
  (line: string): Remedy =>
  (path) =>
    filled(line, path, JSON.stringify);

function filled(line: string, path: string, quoted: (path: string) => string): string {
  // Standard input has no path. A path that is not printed as it is would name another file.
  if (path === "-" || /[\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(path)) return line;
  // A function, so that signs such as $& in the path are not read as a replacement's own.
  return line.replaceAll("FILE", () => quoted(path));
}

/** Quotes a path as one word that no program takes for an option. */
function inShell(path: string): string {
  const file = path.startsWith("-") ? `./${path}` : path;
  return /^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
