/** The version of this package, which results record. A test compares it with package.json. */
export const VERSION = "0.0.0";
