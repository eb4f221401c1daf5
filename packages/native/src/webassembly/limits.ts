/** Memory that the module may take. */
export const MOST_BYTES = 1_073_741_824;
/** Memory that is kept for the next piece: memory of WebAssembly never becomes smaller. */
export const KEPT_BYTES = 134_217_728;
