/** A line that helps, for the file at a path as it was typed. Where the path cannot be shown the line says FILE. */
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
  // Standard input has no path; what is not printed as it is would name another file.
  if (path === "-" || /[\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(path)) return line;
  // A function: a replacement's own signs, $& say, are not read in what it gives.
  return line.replaceAll("FILE", () => quoted(path));
}

/** One word, whatever is in it, that no program takes for an option. */
function inShell(path: string): string {
  const file = path.startsWith("-") ? `./${path}` : path;
  return /^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
