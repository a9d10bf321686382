// Pages for people as answers: HTML without script, under a strict policy.

import type { Answer } from './answer.ts';
import { pageHeaders } from './content-security.ts';
import { type Brand, type PageContent, pageHtml } from './page-html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page as an answer, never cached, framed or sniffed. Content and brand are plain text. */
export function renderPage(content: PageContent, brand: Brand): Answer {
  return {
    status: content.status,
    headers: [
      ...(content.form === undefined ? HEADERS : FORM_HEADERS),
      ...(content.requestId === null ? [] : [requestIdHeader(content.requestId)]),
      ...refreshHeaders(content.againSeconds ?? null),
    ],
    body: pageHtml(content, brand),
  };
}

/** The header by which a program reads the request id that a page shows. Only printable ASCII passes. */
export function requestIdHeader(requestId: string): readonly [name: string, value: string] {
  return ['x-request-id', requestId.replaceAll(/[^\x21-\x7E]/g, '')];
}

/** As HTML's `refresh` (section 4.2.5.3), without an address: the same one. */
function refreshHeaders(seconds: number | null): readonly (readonly [name: string, value: string])[] {
  return seconds === null ? [] : [['refresh', String(seconds)]];
}

const HEADERS = pageHeaders(PAGE_STYLE);
const FORM_HEADERS = pageHeaders(PAGE_STYLE, 'self');
