/** Thrown by a case that the backend cannot run, with the sentence that says why. */
export class Skip extends Error {
  override readonly name = "Skip";
}
