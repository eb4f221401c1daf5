import { integer, isPolybinError, type PolybinError } from "@polybin/core";
import type { Context } from "../case.ts";
import type { Numbers } from "../oracle/cells.ts";
import { axesOf, differenceOf, numbersOf } from "../oracle/results.ts";
import { type Asking, ask } from "../request/ask.ts";
import { codeOf } from "../request/code.ts";
import { expectedOf } from "../request/expected.ts";
import { Inputs } from "../request/inputs.ts";
import { axesIn } from "../request/over.ts";
import { columnsOfWeights, isEach, type Request } from "../request/request.ts";
import type { Refusal } from "./refusals.ts";

/** Asks a request and compares every number with the definition. It is refused where it may be, and nowhere else. */
export async function checkRequest(
  { engine, check, encode }: Context,
  what: string,
  request: Request,
  refusal: Refusal | null = null,
): Promise<void> {
  await using inputs = new Inputs(engine);
  const asking = { engine, inputs, encode };
  if (refusal !== null && refusal.ofDevice !== true) {
    await check.rejects(`${what}: ${refusal.why}`, () => ask(request, asking), { code: refusal.code! });
    return;
  }
  const expected = expectedOrError(request);
  if (isPolybinError(expected)) {
    await check.rejects(`${what}: its data leave no room for the bins`, () => ask(request, asking), {
      code: expected.code,
    });
    return;
  }
  const work = async () => {
    const found = await ask(request, asking);
    const times = request.way === "accumulate" ? 2 : 1;
    const all = request.way === "countAll" ? [...expected, ...expected] : expected;
    check.same(`${what}: results`, found.length, all.length);
    for (const [i, one] of found.entries()) {
      const wanted =
        times === 1
          ? all[i]!
          : Object.fromEntries(
              Object.entries(all[i]!).map(([name, row]) => [
                name,
                Float64Array.from(row, (value) => times * value),
              ]),
            );
      const wrong = differenceOf(numbersOf(one), wanted);
      check.ok(`${what}: result ${i}: ${wrong}\n${wrong && codeOf(request)}`, wrong === null);
    }
    if (request.way === "encode") return;
    const axes = axesIn(request);
    const each = found.filter((_, i) => i % columnsOfWeights(request) === 0).slice(0, axes.length);
    const of = isEach(request) ? each.flatMap(axesOf) : axesOf(found[0]);
    check.same(`${what}: axes`, JSON.stringify(of), JSON.stringify(axes));
    const { backend, algorithm } = found[0].joint ?? found[0];
    check.same(`${what}: backend`, backend, engine.backend);
    if (request.how !== null && algorithm !== null)
      check.same(`${what}: algorithm`, algorithm, request.how.algorithm);
  };
  if (refusal !== null && !(await mustCount(request, asking))) {
    await check.unlessRefused(what, work);
    return;
  }
  try {
    await work();
  } catch (error) {
    if (isPolybinError(error)) check.fails(`${what}\n${codeOf(request)}\n`, error);
    else throw error;
  }
}

/** Whether an engine counts this way, so that it must count what others may refuse. */
async function mustCount(request: Request, { engine, encode }: Asking): Promise<boolean> {
  const { way, how } = request;
  if (how !== null || (way !== "countSync" && way !== "encode")) return false;
  if (way === "encode") return encode !== undefined;
  const one = Uint8Array.of(1);
  try {
    if (hasResident(request)) {
      // A device may count one resident column synchronously, and several not.
      await using resident = await engine.upload(one);
      await using columns = await engine.prepare({ columns: [{ type: "u8", axis: integer(0, 2) }] });
      columns.countSync([resident]);
    } else {
      await using counter = await engine.prepare();
      counter.countSync(one);
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether samples, a mask or groups lie on the device. */
function hasResident({ columns, select: { mask }, rows }: Request): boolean {
  const groups = rows !== null && "by" in rows ? rows.by.form : null;
  const forms = [...columns.map(({ data }) => data.form), mask?.form, groups];
  return forms.includes("resident");
}

/** The numbers of the definition, or its refusal: the data of a request may leave no room for its bins. */
function expectedOrError(request: Request): readonly Numbers[] | PolybinError {
  try {
    return expectedOf(request);
  } catch (error) {
    if (isPolybinError(error)) return error;
    throw error;
  }
}
