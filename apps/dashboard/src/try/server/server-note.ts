import { html, type TemplateResult } from "lit-html";
import { serverState } from "./server.ts";

/** Shows the state of the local server. */
export function serverNote(): TemplateResult {
  const state = serverState();
  const text = {
    none: html`This is a static site without a local server. <code>npm start -- dashboard</code> in a checkout starts one, which adds CUDA, Dawn and worker pools.`,
    asking: "Asking the local server which backends work here.",
    away: "The local server does not answer. The page asks again every 3 seconds. The backends in the page still work.",
    here: null,
  }[state.kind];
  return html`<div role="status" id="server" data-state=${state.kind}>
    ${text === null ? null : html`<p class="absent">${text}</p>`}
  </div>`;
}
