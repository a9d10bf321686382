// What the page says that asks visitors how they want to log in.

import type { PageChoice } from './page-choices.ts';
import type { PageContent } from './page-html.ts';

export type Chooser = {
  /** What they want to open. */
  readonly host: string;
  readonly choices: readonly PageChoice[];
  readonly requestId: string | null;
};

export function chooserContent({ host, choices, requestId }: Chooser): PageContent {
  return {
    status: 200,
    tone: 'info',
    title: 'Choose how to log in',
    paragraphs: [`Log in to open ${host}.`],
    details: [],
    choices,
    actions: [],
    requestId,
  };
}
