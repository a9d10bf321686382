// What a page asks people to choose from: a list of links, each with a name, a sign and perhaps a note. The
// first has the focus, so that one key takes it.

import { escapeHtml, isImage, safeHref } from './page-escape.ts';
import { providerSign } from './provider-sign.ts';

/** `label` and `note` are plain text; `href` as of an action; `icon` as of a provider. */
export type PageChoice = {
  readonly label: string;
  readonly note: string | null;
  readonly icon: string | null;
  readonly href: string;
};

export function choicesHtml(choices: readonly PageChoice[]): string {
  const links = choices.flatMap(({ href, ...choice }) => {
    const safe = safeHref(href);
    return safe === null ? [] : [{ ...choice, href: safe }];
  });
  if (links.length === 0) return '';
  const items = links.map(({ label, note, icon, href }, index) => {
    const focus = index === 0 ? ' autofocus=""' : '';
    const more = note === null ? '' : `<small>${escapeHtml(note)}</small>`;
    return `<li><a${focus} href="${escapeHtml(href)}">${markHtml(label, icon)}<span><bdi>${escapeHtml(label)}</bdi>${more}</span></a></li>`;
  });
  return `<nav class="choices" aria-label="Ways to log in"><ul>${items.join('')}</ul></nav>`;
}

/** Decoration: the name beside it says the same. */
function markHtml(label: string, icon: string | null): string {
  return `<span class="mark" aria-hidden="true">${markOf(label, icon)}</span>`;
}

function markOf(label: string, icon: string | null): string {
  if (icon !== null && isImage(icon)) return `<img src="${escapeHtml(icon)}" alt="" />`;
  const sign = icon === null ? null : providerSign(icon);
  return sign ?? escapeHtml(monogram(label));
}

/** The first letter or digit. */
function monogram(label: string): string {
  const [first = ''] = /[\p{L}\p{N}]\p{M}*/u.exec(label) ?? [];
  return first.toLocaleUpperCase('en');
}
