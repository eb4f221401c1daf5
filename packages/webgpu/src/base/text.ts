/** A WGSL text that is loaded on first use. */
export interface LaterText {
  /** The texts of two objects with one name are equal. */
  readonly name: string;
  /** @throws ERR_UNAVAILABLE if it cannot be loaded. */
  load(): Promise<string>;
}

/** A WGSL text, or one that is loaded on first use. */
export type ShaderText = string | LaterText;

/** Returns the texts if all are here, or a promise of them. */
export function loadedTexts(texts: readonly ShaderText[]): readonly string[] | Promise<readonly string[]> {
  if (texts.every((text) => typeof text === "string")) return texts;
  return Promise.all(texts.map((text) => (typeof text === "string" ? text : text.load())));
}
