import { html, type TemplateResult } from "lit-html";
import { serverState } from "./server.ts";

/** What the reader should know of the local server. */
export function serverNote(): TemplateResult {
  const state = serverState();
  const text = {
    none: "No local server: this is a static site. `npm start -- dashboard` in a checkout serves it with one, which adds CUDA, Dawn and worker pools.",
    asking: "Asking the local server what works here.",
    away: "The local server does not answer. The page asks again every 3 seconds; what works in the page goes on working.",
    here: "",
  }[state.kind];
  return html`<div role="status" id="server" data-state=${state.kind}>
    ${text === "" ? null : html`<p class="absent">${text}</p>`}
  </div>`;
}
