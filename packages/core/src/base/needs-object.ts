import { PolybinError } from "./errors.ts";

type Method = (this: unknown, first?: unknown, second?: unknown, third?: unknown) => unknown;

/**
 * Makes the methods of a class explain how to call them if somebody takes one out of its object. They have at most three
 * parameters, which is faster to pass on than a list.
 * @param name the word for an object of the class
 */
export function needsObject(of: { readonly prototype: object }, name: string): void {
  const { prototype } = of;
  for (const [key, { value, ...rest }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (key === "constructor" || typeof value !== "function") continue;
    const method = value as Method;
    const checked: Method = function (first, second, third) {
      if (this === undefined) {
        throw new PolybinError(
          "ERR_INPUT",
          `expected ${name}.${key}(…) but ${key} was called without its ${name}: call it on the ${name}, or pass ` +
            `${name}.${key}.bind(${name})`,
        );
      }
      return method.call(this, first, second, third);
    };
    Object.defineProperty(checked, "name", { value: key });
    Object.defineProperty(prototype, key, { ...rest, value: checked });
  }
}
