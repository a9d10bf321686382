// The box that says what is wrong. It is read aloud, and the keyboard goes on from there.

import { element, part } from './page-parts.ts';

/** What is wrong, and what to do about it. */
export type Advice = { readonly title: string; readonly text: string };

export function showProblem({ title, text }: Advice, requestId: string | null = null): void {
  const box = part('problem', HTMLElement);
  const id = requestId === null ? [] : [element('small', `Request id ${requestId}`)];
  box.replaceChildren(element('strong', title), element('p', text), ...id);
  box.hidden = false;
  document.body.dataset['tone'] = 'refused';
  box.focus();
}

export function clearProblem(): void {
  const box = part('problem', HTMLElement);
  box.hidden = true;
  box.replaceChildren();
  document.body.dataset['tone'] = 'info';
}
