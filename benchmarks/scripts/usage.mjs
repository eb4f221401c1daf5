// Preloaded into a measured process of Linux: at its end, it reports what the process used, on file descriptor 3.
import { readFileSync, writeSync } from "node:fs";

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  // The largest memory that getrusage states begins with that of the parent process.
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
  writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1e3, megabytes: kilobytes / 1024 }));
});
