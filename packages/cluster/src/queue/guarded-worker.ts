import { type Job, type Processor, Worker, type WorkerOptions } from "bullmq";
import { guardedBackend, type HeldBy, type OnBroken } from "./guarded-backend.ts";
import { ENTRY_OPTIONS, PAYLOAD_BYTES } from "./limits.ts";

/** Replaces data that is too large or no JSON. The check of the payload refuses it. */
const UNREADABLE = "unreadable";

/** A job's fields as BullMQ reads them from Redis. */
type Raw = Parameters<typeof Job.fromJSON>[1];

/** The ways of a worker to deal with entries that its processor never sees. */
export interface Guards {
  readonly heldBy: HeldBy;
  /** An entry that BullMQ cannot read, or that no flow of ours has. */
  readonly broken: OnBroken;
  /** An entry that failed before it was fetched: a child failed, or too many workers ended while they had it. */
  readonly failedBefore: (job: Job, reason: string) => Promise<void>;
}

/**
 * A BullMQ worker that survives entries of any content. Data that is no JSON, or is too large to be parsed, becomes a job
 * that the processor refuses. Options come from this program and never from the queue, and no job schedules others.
 */
export class GuardedWorker extends Worker {
  readonly #guards: Guards;

  constructor(name: string, process: Processor, options: WorkerOptions, guards: Guards) {
    super(name, process, options, guardedBackend(guards.heldBy, guards.broken));
    this.#guards = guards;
  }

  protected override createJob(raw: Raw, id: string): Job {
    const { repeatJobKey: _, stacktrace: __, returnvalue: ___, ...json } = raw;
    const data = String(json.data ?? "");
    return super.createJob(
      {
        ...json,
        id,
        name: String(json.name),
        opts: ENTRY_OPTIONS,
        data: readable(data) ? data : `"${UNREADABLE}"`,
      } as Raw,
      id,
    );
  }

  override async processJob(...args: Parameters<Worker["processJob"]>): ReturnType<Worker["processJob"]> {
    const [job] = args;
    if (job.deferredFailure) await this.#guards.failedBefore(job, job.deferredFailure);
    return super.processJob(...args);
  }
}

function readable(data: string): boolean {
  if (data.length > PAYLOAD_BYTES) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
