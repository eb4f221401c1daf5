import { html, type TemplateResult } from "lit-html";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Draws a labelled select. `choose` receives the value. The selected value is listed even if it is not among the choices. */
export function select(
  label: string,
  choices: readonly Choice[],
  selected: string,
  choose: (value: string) => void,
): TemplateResult {
  const known = choices.some(({ value }) => value === selected);
  const all = known ? choices : [...choices, { value: selected, label: selected }];
  return html`<label class="field"><span>${label}</span>
    <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${all.map(({ value, label: text }) => html`<option value=${value} .selected=${value === selected}>${text}</option>`)}
    </select>
  </label>`;
}

/** Makes choices whose label is their value in words. */
export const named = (values: readonly string[], name: (value: string) => string): Choice[] =>
  values.map((value) => ({ value, label: name(value) }));

/** Makes choices whose label is their value. */
export const plain = (values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: value }));
