/** Records every worker that receives a message from now on, so that a test can end it from outside as a crash would. */
export async function killableWorkers(): Promise<{ all(): Promise<void>; restore(): void }> {
  const { Worker } = await import("node:worker_threads");
  const workers: InstanceType<typeof Worker>[] = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: InstanceType<typeof Worker>, ...message: unknown[]) {
    workers.push(this);
    return Reflect.apply(postMessage, this, message);
  } as typeof postMessage;
  return {
    all: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
    restore: () => {
      Worker.prototype.postMessage = postMessage;
    },
  };
}
