export { emptyLine } from "./empty.ts";
export { exitCodeOf, lineOf } from "./failure.ts";
export { interruptible } from "./interrupt.ts";
export { note, tellDamage, tellMachine, warn } from "./notes.ts";
export { type Page, stdoutPage } from "./page.ts";
export { progressBar, type Watch } from "./progress.ts";
export { write, writeParts } from "./write.ts";
