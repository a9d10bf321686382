// What a page that refuses somebody says of them to the form by which they ask for access, and to the page
// that says whom to ask: sealed, short, of one share, provider and address. Where a login is refused there is
// no session that could say it. Whoever has it can only ask, in the name of whom the provider confirmed.

import { mayRequestAccess } from '../domain/access-request.ts';
import { matchesAnyPattern } from '../domain/email-pattern.ts';
import type { ShareId } from '../domain/id.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import type { SessionFacts } from '../domain/session-facts.ts';
import type { Share } from '../domain/share.ts';
import type { PageAction } from '../http/page-html.ts';
import { idField, numberField, readRecord, textField } from './record.ts';
import type { Seal } from './seal.ts';

export type AccessStatement = {
  readonly shareId: ShareId;
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type Refused = {
  readonly share: Share;
  readonly provider: Pick<ProviderRef, 'name' | 'generation' | 'accountId' | 'emailPatterns'>;
  readonly person: { readonly email: string; readonly facts: SessionFacts | null };
};

/**
 * The way to the form; where the share takes no requests, or one that is granted would not help, people who
 * may be the account's own can read whom to ask. Only that page knows whether they are, and who it is: the
 * gateway, which adds these actions to a refusal, reads no database.
 */
export function askAction(
  { seal, endpointUrl, now }: { readonly seal: Seal; readonly endpointUrl: URL; readonly now: number },
  { share, provider, person }: Refused,
): readonly PageAction[] {
  const takesRequest = mayRequestAccess(share, { ...person, provider: provider.name });
  if (!takesRequest && !mayBeOwn(share, provider, person.email)) return [];
  const statement = sealAccessStatement(seal, {
    shareId: share.id,
    providerName: provider.name,
    providerGeneration: provider.generation,
    email: person.email,
    expiresAt: now + STATEMENT_LIFETIME_MS,
  });
  const path = takesRequest ? requestAccessPath(provider.name) : whoToAskPath(provider.name);
  const href = `${endpointUrl.origin}${path}?statement=${statement}`;
  return [{ label: takesRequest ? 'Request access' : 'Who to ask for access', href, primary: false }];
}

/** As far as can be said without a look at domains: `isOwnPerson()` says it on the page. */
function mayBeOwn({ accountId }: Share, provider: Refused['provider'], email: string): boolean {
  // Without patterns anybody logs in there.
  return (
    provider.accountId === accountId &&
    provider.emailPatterns.some((pattern) => matchesAnyPattern([pattern], email))
  );
}

export function requestAccessPath(providerName: string): string {
  return `/${encodeURIComponent(providerName)}/request-access`;
}

function whoToAskPath(providerName: string): string {
  return `/${encodeURIComponent(providerName)}/who-to-ask`;
}

export function sealAccessStatement(seal: Seal, statement: AccessStatement): string {
  const content = Buffer.concat([
    numberField(VERSION, 1),
    idField(statement.shareId),
    numberField(statement.expiresAt, MILLISECONDS_BYTES),
    textField(statement.providerName, 1),
    textField(statement.providerGeneration, 2),
    textField(statement.email, 2),
  ]);
  return seal.seal('access-statement', content);
}

/** Null when it was not sealed here as one; `expiresAt` is the caller's to check. Never throws. */
export function openAccessStatement(seal: Seal, sealed: string): AccessStatement | null {
  const content = seal.open('access-statement', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): AccessStatement => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      shareId: reader.id('shr'),
      expiresAt: reader.number(MILLISECONDS_BYTES),
      providerName: reader.text(1),
      providerGeneration: reader.text(2),
      email: reader.text(2),
    };
  });
}

/** Time to read the page, and to write a line. */
const STATEMENT_LIFETIME_MS = 15 * 60_000;
const VERSION = 1;
const MILLISECONDS_BYTES = 6;
