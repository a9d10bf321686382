// Pages for people: HTML without script, under a strict policy. Everything shown is escaped here and nowhere else.

import type { Answer } from './answer.ts';

export type Brand = { readonly name: string; readonly logo: string | null; readonly contact: string | null };

export type PageContent = {
  readonly status: number;
  readonly tone: 'info' | 'refused' | 'fault';
  readonly title: string;
  /** Plain text, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** Facts in a small table, such as who is signed in. Plain text. */
  readonly details: readonly { readonly label: string; readonly value: string }[];
  readonly actions: readonly PageAction[];
  readonly requestId: string | null;
};

export type PageAction = { readonly label: string; readonly href: string; readonly primary: boolean };

export function renderPage(_content: PageContent, _brand: Brand): Answer {
  throw new Error('not here yet');
}
