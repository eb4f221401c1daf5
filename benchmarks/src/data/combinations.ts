/** One value, or several, for each name. */
type Choices<Of> = { readonly [Name in keyof Of]: Of[Name] | readonly Of[Name][] };

/** Lists every combination of one value per name. The last name changes fastest. */
export function combinations<Of extends object>(choices: Choices<Of>): Of[] {
  return Object.entries(choices).reduce<object[]>(
    (all, [name, values]) =>
      all.flatMap((one) => [values].flat().map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as Of[];
}
