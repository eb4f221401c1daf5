/** The package's own version, which results are signed with. A test holds it to package.json. */
export const VERSION = "0.0.0";
