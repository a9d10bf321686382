// Pages for people as text: HTML without script. Everything shown is escaped here and nowhere else. Nothing
// of Node: the console draws them, too.

import { choicesHtml, type PageChoice } from './page-choices.ts';
import { escapeHtml, isImage, safeHref } from './page-escape.ts';
import { brandMark, faviconUrl, PAGE_STYLE, type Tone, toneIcon } from './page-style.ts';

export type Brand = { readonly name: string; readonly logo: string | null; readonly contact: string | null };

export type PageContent = {
  readonly status: number;
  readonly tone: Tone;
  readonly title: string;
  /** Plain text, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** Facts in a small table, such as who is logged in. Plain text. */
  readonly details: readonly { readonly label: string; readonly value: string }[];
  /** What the page asks people to choose from. */
  readonly choices?: readonly PageChoice[];
  readonly actions: readonly PageAction[];
  /** Sent to this origin and no other. */
  readonly form?: PageForm;
  /** What a message to the operator's contact is about; then the contact stands among the details. */
  readonly askAbout?: string;
  /** The page loads itself again after that time: for a GET that changes nothing. Nothing runs for it. */
  readonly againSeconds?: number | null;
  readonly requestId: string | null;
};

/**
 * `href` is empty (this very page), a path, or an absolute http, https or mailto address; an action with any
 * other is left out.
 */
export type PageAction = { readonly label: string; readonly href: string; readonly primary: boolean };

export type PageForm = {
  /** A path. */
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly text: { readonly name: string; readonly label: string; readonly maxLength: number };
  readonly submit: string;
};

/** The whole document. */
export function pageHtml(content: PageContent, brand: Brand): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${content.title} – ${brand.name}`)}</title>
<link rel="icon" href="${escapeHtml(faviconUrl())}">
<style>${PAGE_STYLE}</style>
</head>
${pageBody(content, brand)}
</html>
`;
}

/** Its body alone, which is sound XML, too: the console shows it inside an image. */
export function pageBody(content: PageContent, brand: Brand): string {
  const contact = content.askAbout === undefined ? null : brand.contact;
  const body = [
    `<header>${brandHtml(brand)}</header>`,
    '<main>',
    `<div class="icon">${toneIcon(content.tone)}</div>`,
    `<h1>${escapeHtml(content.title)}</h1>`,
    ...content.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    detailsHtml(content.details, contact === null ? '' : contactRow(contact, content.askAbout)),
    choicesHtml(content.choices ?? []),
    content.form === undefined ? '' : formHtml(content.form),
    actionsHtml(content.actions),
    '</main>',
    footerHtml(content.requestId, contact === null ? brand.contact : null),
  ];
  return `<body data-tone="${content.tone}">
${body.filter((part) => part !== '').join('\n')}
</body>`;
}

/** The operator's name and logo, for the head of a page. */
export function brandHtml(brand: Brand): string {
  const name = `<span>${escapeHtml(brand.name)}</span>`;
  if (brand.logo === null || !isImage(brand.logo)) return `${brandMark()}${name}`;
  return `<img src="${escapeHtml(brand.logo)}" alt="" height="32" />${name}`;
}

function detailsHtml(details: PageContent['details'], contact: string): string {
  const rows = details.map(({ label, value }) => rowHtml(label, `<bdi>${escapeHtml(value)}</bdi>`));
  const all = [...rows, contact].join('');
  return all === '' ? '' : `<dl>${all}</dl>`;
}

/** `value` is HTML. */
function rowHtml(label: string, value: string): string {
  return `<div><dt>${escapeHtml(label)}</dt><dd>${value}</dd></div>`;
}

function contactRow(contact: string, about: string | undefined): string {
  return rowHtml('Contact', linkHtml(contact, about));
}

function actionsHtml(actions: readonly PageAction[]): string {
  const links = actions.flatMap(({ label, href, primary }) => {
    const safe = safeHref(href);
    if (safe === null) return [];
    const kind = primary ? ' class="primary"' : '';
    return [`<li><a${kind} href="${escapeHtml(safe)}">${escapeHtml(label)}</a></li>`];
  });
  if (links.length === 0) return '';
  return `<nav aria-label="What you can do"><ul>${links.join('')}</ul></nav>`;
}

function formHtml({ action, hidden, text, submit }: PageForm): string {
  const kept = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}" />`,
  );
  const area = `<textarea name="${escapeHtml(text.name)}" rows="3" maxlength="${text.maxLength}"></textarea>`;
  return [
    `<form method="post" action="${escapeHtml(action)}">${kept.join('')}`,
    `<label>${escapeHtml(text.label)}${area}</label>`,
    `<button type="submit">${escapeHtml(submit)}</button></form>`,
  ].join('\n');
}

function footerHtml(requestId: string | null, contact: string | null): string {
  const lines = [
    contact === null ? '' : contactHtml(contact),
    requestId === null ? '' : `<p>Request id <code>${escapeHtml(requestId)}</code></p>`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? '' : `<footer>${lines.join('')}</footer>`;
}

/** Whom to ask, for the foot of a page. */
export function contactHtml(contact: string): string {
  return `<p>Need help? ${linkHtml(contact)}</p>`;
}

/** A link where the contact is one. `about` is the subject of a message to it. */
function linkHtml(contact: string, about?: string): string {
  const text = escapeHtml(contact);
  const subject = about === undefined ? '' : `?subject=${encodeURIComponent(about.toWellFormed())}`;
  const href = safeHref(EMAIL.test(contact) ? `mailto:${contact}${subject}` : contact);
  return href === null ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
}

const EMAIL = /^[^\s@:/?#]+@[^\s@:/?#]+$/;
