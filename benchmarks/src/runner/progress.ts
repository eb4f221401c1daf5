/** Makes a line on stderr that is rewritten while work goes on. It prints nothing if stderr is no terminal. */
export function progressLine(): Disposable & { readonly show: (text: string) => void } {
  if (!process.stderr.isTTY) return { show: () => {}, [Symbol.dispose]: () => {} };
  const width = process.stderr.columns || 80;
  return {
    show: (text) => process.stderr.write(`\r\u001b[K${text.slice(0, width - 1)}`),
    [Symbol.dispose]: () => process.stderr.write("\r\u001b[K"),
  };
}
