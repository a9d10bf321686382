// The rules of a share, compiled once: a share that changed is another object.

import { compileRules, type CompiledRules } from './compile-rules.ts';
import { conditionsOf } from './named-providers.ts';
import type { ProviderRef } from './provider-ref.ts';
import type { Share } from './share.ts';

export type ShareRules = {
  readonly rules: CompiledRules;
  /** Those at which people can log in: they are there, and for this account. */
  readonly providers: readonly ProviderRef[];
  readonly providerNames: readonly string[];
};

export function rulesOfShare(share: Share): ShareRules {
  const known = compiled.get(share);
  if (known !== undefined) return known;
  const providers = usableProviders(share);
  const { login } = share;
  const rules = compileRules({
    providers: login?.named ?? [],
    emails: login?.emailPatterns ?? [],
    groups: share.allowGroups,
    clientCertificate: share.clientCertificate,
    access: share.access,
    allowPaths: share.allowPaths,
    allowAddresses: share.allowAddresses,
    denyEmails: share.denyEmails,
    rules: share.rules,
    definitions: new Map(
      providers.flatMap(({ name, emailPatterns }) =>
        emailPatterns.length === 0 ? [] : [[name, emailPatterns] as const],
      ),
    ),
  });
  const all = { rules, providers, providerNames: providers.map(({ name }) => name) };
  compiled.set(share, all);
  return all;
}

/** Whether a client certificate may let anybody in, or keep them out. */
export function asksCertificate(share: Share): boolean {
  // Asked of every share when a gateway starts: the rules of most are not compiled for it.
  return namesCertificate(share) && rulesOfShare(share).rules.asksCertificate;
}

export function namesCertificate({
  clientCertificate,
  rules,
}: Pick<Share, 'clientCertificate' | 'rules'>): boolean {
  return clientCertificate !== null || rules.some((rule) => conditionsOf(rule).certificate !== undefined);
}

/** Behind a proxy of its own, that has the handshake with whoever comes. */
export function asksAtHandshake(share: Share): boolean {
  return !share.behind && asksCertificate(share);
}

/** Whether a service token may let anybody in; where none may, one that is sent means nothing. */
export function asksToken(share: Share): boolean {
  return rulesOfShare(share).rules.asksToken;
}

/** Those that are gone, or another account's, are left out (DESIGN "Who may use which provider"). */
function usableProviders({ login, accountId }: Share): readonly ProviderRef[] {
  const named = login?.providers ?? [];
  return named.flatMap(({ provider }) =>
    provider === null || (provider.accountId !== null && provider.accountId !== accountId) ? [] : [provider],
  );
}

const compiled = new WeakMap<Share, ShareRules>();
