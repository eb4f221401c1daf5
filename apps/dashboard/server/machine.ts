import { cpus } from "node:os";

/** The processor that the server runs on, as result files describe it. */
export interface MachineOfServer {
  readonly cpu: string;
  readonly cores: number;
}

export function machine(): MachineOfServer {
  const processors = cpus();
  return { cpu: processors[0]?.model.trim() ?? "unknown", cores: processors.length };
}
