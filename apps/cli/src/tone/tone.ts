import { extname } from "node:path";
import { PolybinError } from "@polybin/core";
import { Choice } from "../engine/index.ts";
import { openSource, readPicture } from "../input/index.ts";
import { checkOutput, writeWhole } from "../output/index.ts";
import { note } from "../terminal/index.ts";
import { toPng } from "./png.ts";
import { parseTone, type ToneOptions } from "./request.ts";
import { toned } from "./toned.ts";

/** `polybin tone IN OUT`. */
export async function tone(
  from: string,
  to: string,
  options: ToneOptions,
  signal: AbortSignal,
): Promise<void> {
  const { tone, backend, threads } = parseTone(options);
  if (![".png", ""].includes(extname(to).toLowerCase())) {
    throw new PolybinError("ERR_INPUT", `expected a name that ends in .png for OUT but received ${to}`);
  }
  const other = tone.kind === "match" ? tone.reference : null;
  const target = await checkOutput(
    [
      { path: from, is: "the input itself" },
      ...(other === null ? [] : [{ path: other, is: "the reference" }]),
    ],
    "OUT",
    to,
  );
  // Which segments does not matter for the choice of a backend, only that there are some.
  const segments = tone.kind === "clahe" ? { every: 1 } : null;
  await using choice = await Choice.of({ backend, threads, algorithm: "auto", segments });
  const { picture, bytes } = await readPicture(await openSource(from, signal), signal);
  const reference =
    other === null ? null : (await readPicture(await openSource(other, signal), signal)).picture;
  const engine = await choice.engine(picture.data.length, picture.type);
  const data = await toned(engine, picture, tone, reference, signal);
  await writeWhole([{ target, data: await toPng(picture, data, bytes) }]);
  note(`${to}: ${picture.width} x ${picture.height} pixels, ${tone.kind} by counts of ${engine.backend}`);
}
