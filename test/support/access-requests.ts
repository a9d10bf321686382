// Requests for access as the form keeps them, for what looks after them.

import assert from 'node:assert/strict';
import { auditEvent } from '../../src/domain/audit-event.ts';
import { type AccessRequestId, type AccountId, newId } from '../../src/domain/id.ts';
import type { ProviderRef } from '../../src/domain/provider-ref.ts';
import type { Store } from '../../src/store/store.ts';
import { type Browser, walkLogin } from './browser-by-hand.ts';
import { readForms } from './html-form.ts';

type Asking = {
  readonly accountId: AccountId;
  /** By name. */
  readonly share: string;
  readonly provider: Pick<ProviderRef, 'name' | 'generation'>;
  readonly email: string;
  readonly message?: string;
  readonly at?: number;
};

export async function askForAccess(
  { shares, accessRequests }: Pick<Store, 'shares' | 'accessRequests'>,
  { accountId, share: name, provider, email, message = '', at = Date.now() }: Asking,
): Promise<AccessRequestId> {
  const share = await shares.find(accountId, name);
  assert.ok(share !== null, name);
  const id = newId('arq');
  const of = { accountId, shareId: share.id, provider: provider.name, email };
  const event = auditEvent({ kind: 'access.requested', at, ...of, reason: name });
  const asked = await accessRequests.ask(
    { id, ...of, providerGeneration: provider.generation, message, isLetIn: false, at },
    event,
  );
  assert.equal(asked, 'asked');
  return id;
}

/** As a visitor does whom the share at this address refuses. */
export async function requestAccess(
  browser: Browser,
  url: string,
  { email, message = '' }: Pick<Asking, 'email' | 'message'>,
): Promise<void> {
  const { last } = await walkLogin(browser, url, { email });
  const [, href] = /href="([^"]*\/request-access\?statement=[^"]*)"/.exec(last.body) ?? [];
  assert.ok(href !== undefined, `no link at ${last.url.href}`);
  const page = await browser.open(href);
  const form = readForms(page.body).find(({ fields }) => fields.has('statement'));
  assert.ok(form !== undefined);
  const sent = await browser.request(new URL(form.action, page.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: page.url.origin,
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ ...Object.fromEntries(form.fields), message }).toString(),
  });
  assert.ok(sent.body.includes('Your request was sent'), `${sent.status}`);
}
