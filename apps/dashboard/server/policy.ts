/**
 * The hash of the style sheet that Observable Plot 0.6 puts into every plot. The policy allows no other inline style.
 * The text depends only on the library's version and the plots' class name. A test of the page fails when it changes,
 * because the browser then reports a violation.
 */
const STYLE_OF_PLOTS = "sha256-+TfQir1nvDucAdvE6XUQBt4ayUjpAWkbw2kCdSfekHM=";

/** The page may load its own files only. */
const POLICY: string = [
  "default-src 'none'",
  // The codecs of Parquet are WebAssembly.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  `style-src 'self' '${STYLE_OF_PLOTS}'`,
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every response. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
