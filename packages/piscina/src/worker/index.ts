/** The file that each worker thread runs. Bundled code is one folder deep, too. */
export const WORKER: URL = new URL("../worker/main.js", import.meta.url);
