/** What JSON holds. */
export type Json = number | string | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What this device will do, for people: frozen, comparable, printable. */
export type DeviceLaunch = Readonly<Record<string, Json>>;

/** Freezes it, to its depth. */
export function frozen<T extends Json>(of: T): T {
  if (typeof of === "object" && of !== null) {
    for (const value of Object.values(of)) frozen(value as Json);
    Object.freeze(of);
  }
  return of;
}
