import { isMainThread } from "node:worker_threads";
import { PolybinError } from "@polybin/core";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { decoders } from "./formats/generated/decoders.ts";
import { decodeError, type PoolAnswer, type PoolTask } from "./pool/index.ts";

if (isMainThread)
  throw new PolybinError("ERR_WORKER", "expected this module to run in a thread that decodes");

/** Decodes one task. The pool calls this for every task, one at a time. */
export default async function main({ format, task }: PoolTask): Promise<PoolAnswer> {
  try {
    const load = decoders[format];
    if (load === undefined) throw new PolybinError("ERR_INTERNAL", `no decoder is called ${format}`);
    const { decode } = await load();
    const { value, transfer } = await decode(task as never);
    const answer: PoolAnswer = { value };
    return move({ [transferableSymbol]: transfer, [valueSymbol]: answer } as never) as unknown as PoolAnswer;
  } catch (error) {
    const { code, message } = decodeError(format, error);
    return { code, message };
  }
}
