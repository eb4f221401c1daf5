import { isPolybinError } from "@polybin/core";
import { gpuMain } from "./command.ts";

try {
  await gpuMain(process.argv.slice(2));
} catch (error) {
  console.error(isPolybinError(error) ? `error[${error.code}]: ${error.message}` : (error as Error).message);
  process.exitCode ||= 1;
}
