/** Thrown by a case that the backend cannot run, with a sentence that states why. */
export class Skip extends Error {
  override readonly name = "Skip";
}
