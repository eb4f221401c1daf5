/** Wrong use of the command. */
export class WrongUse extends Error {}
