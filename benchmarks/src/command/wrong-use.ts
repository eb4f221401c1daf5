/** An error for wrong use of the command. */
export class WrongUse extends Error {}
