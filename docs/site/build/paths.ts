import { fileURLToPath } from "node:url";

/** The repository's folder, with a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

/** This package's folder, below the repository's. */
export const SITE = "docs/site";

/** The folder that the site is built into. */
export const DIST: string = `${ROOT}${SITE}/dist`;

/** The folder of the pages that TypeDoc writes, below the repository's. */
export const REFERENCE: string = `${SITE}/generated/reference`;
