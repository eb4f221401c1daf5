import { PolybinError } from "@polybin/core";
import { namedPicture, promisedPicture } from "@polybin/pictures/formats";
import { containerOf, promisedContainer } from "./containers.ts";
import type { Source } from "./source.ts";

/**
 * Checks that the bytes of a file may be its values.
 * @throws ERR_INPUT for a file whose first bytes are those of a container, and for one whose name promises a container or
 * a picture. ERR_UNSUPPORTED if its name promises a picture that first bytes do not identify.
 */
export function expectPlain({ name, path, head }: Pick<Source, "name" | "path" | "head">): void {
  const found = containerOf(head);
  if (found !== null) {
    const shown = name === "-" ? "standard input" : name;
    const remedy = found.remedy === null ? "" : `: ${found.remedy(path)}`;
    throw new PolybinError(
      "ERR_INPUT",
      `expected a picture or plain values but ${shown} is ${found.name}, whose bytes are not its values; ` +
        `extract the values first${remedy}; --raw counts the file's bytes`,
    );
  }
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const picture = namedPicture(extension);
  if (picture !== null) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected plain values or a picture that polybin decodes but ${name} is ${picture}, as its name says, ` +
        "which polybin does not decode; --raw counts the file's bytes",
    );
  }
  const promised = promisedPicture(extension) ?? promisedContainer(extension);
  if (promised === null) return;
  const wrong =
    head.length === 0
      ? "is empty"
      : "does not begin as one: it is damaged or something else; --raw counts the file's bytes";
  throw new PolybinError("ERR_INPUT", `expected ${promised}, as its name says, but ${name} ${wrong}`);
}
