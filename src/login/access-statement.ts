// What a page that refuses somebody says of them to the form by which they ask for access: sealed, short, of
// one share, provider and address. Where a login is refused there is no session that could say it. Whoever
// has it can only ask, in the name of whom the provider confirmed.

import { mayRequestAccess } from '../domain/access-request.ts';
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
  readonly provider: Pick<ProviderRef, 'name' | 'generation'>;
  readonly person: { readonly email: string; readonly facts: SessionFacts | null };
};

/** The way to the form; none where the share takes no requests, or one that is granted would not help. */
export function askAction(
  { seal, endpointUrl, now }: { readonly seal: Seal; readonly endpointUrl: URL; readonly now: number },
  { share, provider, person }: Refused,
): readonly PageAction[] {
  if (!mayRequestAccess(share, { ...person, provider: provider.name })) return [];
  const statement = sealAccessStatement(seal, {
    shareId: share.id,
    providerName: provider.name,
    providerGeneration: provider.generation,
    email: person.email,
    expiresAt: now + STATEMENT_LIFETIME_MS,
  });
  const href = `${endpointUrl.origin}${requestAccessPath(provider.name)}?statement=${statement}`;
  return [{ label: 'Request access', href, primary: false }];
}

export function requestAccessPath(providerName: string): string {
  return `/${encodeURIComponent(providerName)}/request-access`;
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
