/** What `parseArgs` says of each argument when it is asked for tokens. */
type Token = { readonly kind: "option"; readonly name: string } | { readonly kind: string };

/** The first option that is given twice, of which one value would be lost in silence; null where there is none. */
export function repeatedOption(tokens: readonly Token[], many: readonly string[] = []): string | null {
  const seen = new Set(many);
  for (const token of tokens) {
    if (!("name" in token)) continue;
    if (seen.has(token.name) && !many.includes(token.name)) return token.name;
    seen.add(token.name);
  }
  return null;
}
