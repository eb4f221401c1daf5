import { html, type TemplateResult } from "lit-html";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A labelled list to choose from. `choose` gets the value. What is selected stands in it, though it may be no choice. */
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

/** Choices whose text is their value. */
export const plain = (values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: value }));
