/** A line on stderr that is written over and over while work goes on, where stderr is a terminal; else nothing at all. */
export function progressLine(): { readonly show: (text: string) => void; readonly clear: () => void } {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} };
  const width = process.stderr.columns || 80;
  return {
    show: (text) => process.stderr.write(`\r\u001b[K${text.slice(0, width - 1)}`),
    clear: () => process.stderr.write("\r\u001b[K"),
  };
}
