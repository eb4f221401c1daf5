import type { SampleType } from "@polybin/core";
import type { Input, RunOptions } from "@polybin/core/backend";
import type { Answer, Reached, Task } from "../task/index.ts";
import type { Pool } from "./pool.ts";

/** The properties that all tasks of a job share. */
export interface Shape {
  readonly type: SampleType;
  readonly channels: readonly number[];
}

/** Returns the work of the task with this number, which is below the number of the pool's threads. */
type WorkOf = (worker: number) => Task["work"];

/** One launch. It is short enough that no 32-bit counter overflows. */
export interface Launch {
  readonly workOf: WorkOf;
  readonly onAnswer: (answer: Answer) => void;
  readonly atEnd: () => void;
}

/** One launch over some chunks of an input. */
export interface Part {
  readonly pool: Pool;
  readonly input: Input;
  readonly shape: Shape;
  readonly reached: Reached;
  readonly range: { readonly from: number; readonly to: number };
  readonly launch: Launch;
  readonly options: RunOptions;
}
