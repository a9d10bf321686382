// Logs a browser out at the certified provider, as a person does there: its page asks, and is told yes.

import assert from 'node:assert/strict';
import type { Browser, BrowserAnswer } from '../browser-by-hand.ts';
import { readForms } from '../html-form.ts';

/** `start` is the provider's end-session address, with whatever query. Answers what came after the yes. */
export async function logOutAt(browser: Browser, start: string | URL): Promise<BrowserAnswer> {
  const page = await browser.open(start);
  assert.equal(page.status, 200, page.body.slice(0, 300));
  const form = readForms(page.body).find(({ fields }) => fields.has('xsrf'));
  assert.ok(form, page.body.slice(0, 300));
  return browser.submit(page, form, { logout: 'yes' });
}
