/** A token of `parseArgs`. */
type Token = { readonly kind: "option"; readonly name: string } | { readonly kind: string };

/** Returns the first option that is given twice, since one value would be lost silently; null if there is none. */
export function repeatedOption(tokens: readonly Token[], many: readonly string[] = []): string | null {
  const seen = new Set(many);
  for (const token of tokens) {
    if (!("name" in token)) continue;
    if (seen.has(token.name) && !many.includes(token.name)) return token.name;
    seen.add(token.name);
  }
  return null;
}
