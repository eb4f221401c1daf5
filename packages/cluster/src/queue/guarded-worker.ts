import { type Job, Worker } from "bullmq";
import { PAYLOAD_BYTES } from "./limits.ts";

/** Replaces data that is too large or no JSON. The check of the payload refuses it. */
const UNREADABLE = "unreadable";

/** A job's fields as BullMQ reads them from Redis. */
type Raw = Parameters<typeof Job.fromJSON>[1];

/**
 * A BullMQ worker that survives jobs of any content. Data that is no JSON, or is too large to be parsed, becomes a job
 * that the processor refuses. A job never schedules others.
 */
export class GuardedWorker extends Worker {
  protected override createJob(raw: Raw, id: string): Job {
    const { repeatJobKey: _, ...json } = raw;
    const data = String(json.data ?? "");
    return super.createJob(
      { ...json, name: String(json.name), data: readable(data) ? data : `"${UNREADABLE}"` },
      id,
    );
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
