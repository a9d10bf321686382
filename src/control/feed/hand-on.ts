// Hands changes on to whoever goes by them: what changed is read again, and told in an order in which nothing
// counts for a moment that should not.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TrustNews } from '../../domain/certificate-trust.ts';
import type { ApiKeyId, MemberId, ProviderDefinitionId, SessionId, ShareId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { goneSession, type SessionState } from '../../domain/session.ts';
import type { ServiceTokenNews } from '../../domain/service-token.ts';
import type { Share, ShareProvider } from '../../domain/share.ts';
import type { Change } from '../../store/change.ts';
import { inBatches } from '../../store/columns.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { Store } from '../../store/store.ts';
import { keyCounts } from '../console/console-caller.ts';
import type { RoutedShares } from './routed-shares.ts';
import type { TokenReader } from './token-reader.ts';
import type { TrustReader } from './trust-reader.ts';

export type HandOnDeps = {
  readonly store: Pick<Store, 'shares' | 'sessions' | 'apiKeys'>;
  /**
   * These definitions changed, or all may have: reads them again, before shares are built with them; answers
   * the names that changed.
   */
  readonly onProviders: (changed: readonly ProviderDefinitionId[] | 'all') => Promise<readonly string[]>;
  /** What is handed on counts as live once this returns or resolves. */
  readonly onShares: (upsert: readonly Share[], remove: readonly ShareId[]) => void | Promise<void>;
  readonly onSessions: (states: readonly SessionState[]) => void | Promise<void>;
  readonly providerRef: (name: string) => ProviderRef | null;
  /** These API keys, and what these members allowed, serve no tunnel any more. */
  readonly onKeysGone: (keys: readonly (ApiKeyId | MemberId)[]) => void | Promise<void>;
  /** Public certificates came or went. */
  readonly onPublicCertificates: () => void;
  readonly onTrust: (news: TrustNews) => void | Promise<void>;
  readonly onTokens: (news: ServiceTokenNews) => void | Promise<void>;
  /**
   * Changes were missed, so nothing known of any session or key can be believed: forget it, and ask again.
   */
  readonly onGap: () => void | Promise<void>;
};

export type HandOn = {
  readonly changes: (changes: readonly Change[]) => Promise<void>;
  /** Whatever is in the store by now: changes were missed. */
  readonly everything: () => Promise<void>;
  /** Every share again, since the configuration's providers changed. */
  readonly configured: () => Promise<void>;
};

export type HandOnReaders = {
  readonly table: RoutedShares;
  readonly trustReader: TrustReader;
  readonly tokenReader: TokenReader;
};

export function createHandOn(deps: HandOnDeps, { table, trustReader, tokenReader }: HandOnReaders): HandOn {
  const { store } = deps;
  // Names of providers that changed, until their shares were handed on: a failed try is made again.
  const staleProviders = new Set<string>();

  async function handOn(changes: readonly Change[]): Promise<void> {
    if (changes.some(({ kind }) => kind === 'public-certificate')) deps.onPublicCertificates();
    const { sessions, shares, keys, members, providers } = idsOf(changes);
    const serving = new Set(keys.size > 0 ? await store.apiKeys.serving([...keys]) : []);
    const gone = [...[...keys].filter((id) => !serving.has(id)), ...members];
    if (gone.length > 0) await deps.onKeysGone(gone);
    // Before the shares: one that asks for certificates goes live with those that it trusts.
    const trust = await trustReader.news(changes);
    if (trust !== null) await deps.onTrust(trust);
    const tokens = await tokenReader.news(changes);
    if (tokens !== null) await deps.onTokens(tokens);
    if (providers.size > 0) await rebuildWithProviders([...providers]);
    const known = new Map((await store.sessions.states([...sessions])).map((state) => [state.id, state]));
    const states = [...sessions].map((id) => known.get(id) ?? goneSession(id));
    const rows = await store.shares.findByIds([...shares]);
    if (states.length > 0) await deps.onSessions(states);
    const kept = new Set(rows.map((row) => row.id));
    if (shares.size > 0) {
      const removed = [...shares].filter((id) => !kept.has(id));
      await deps.onShares(table.update(rows, removed), removed);
    }
  }

  async function rebuildWithProviders(changed: readonly ProviderDefinitionId[]): Promise<void> {
    for (const name of await deps.onProviders(changed)) staleProviders.add(name);
    await endLoginsAt([...staleProviders]);
    const isStale = ({ name }: ShareProvider) => staleProviders.has(name);
    await rebuild(table.ids((login) => login?.providers.some(isStale) ?? false));
    staleProviders.clear();
  }

  /** Keys and service tokens that came from a login which counts no more. */
  async function endLoginsAt(providers: readonly string[] | 'all'): Promise<void> {
    const find = (name: string) => deps.providerRef(name) ?? undefined;
    const keys = await store.apiKeys.ofLogins(providers);
    const gone = keys.filter((key) => !keyCounts(find, key)).map(({ id }) => id);
    if (gone.length > 0) await deps.onKeysGone(gone);
    const tokens = await tokenReader.ofLogins(providers);
    if (tokens !== null) await deps.onTokens(tokens);
  }

  async function configured(): Promise<void> {
    await endLoginsAt('all');
    await rebuild(table.ids(() => true));
  }

  /** Some at a time, and something else between: an account may have thousands. */
  async function rebuild(ids: readonly ShareId[]): Promise<void> {
    for (const batch of inBatches(ids, AT_ONCE)) {
      await deps.onShares(table.rebuild(batch), []);
      await nextTurn();
    }
  }

  async function handOnAll(rows: readonly ShareRow[], removed: readonly ShareId[]): Promise<void> {
    const [first = [], ...others] = inBatches(rows, AT_ONCE);
    await deps.onShares(table.update(first, removed), removed);
    for (const batch of others) {
      await nextTurn();
      await deps.onShares(table.update(batch, []), []);
    }
  }

  async function readAllAgain(): Promise<void> {
    await deps.onProviders('all');
    const rows = await store.shares.all();
    const removed = table.idsBut(rows);
    const trust = await trustReader.all();
    const tokens = await tokenReader.all();
    await deps.onGap();
    deps.onPublicCertificates();
    await deps.onTrust(trust);
    await deps.onTokens(tokens);
    await handOnAll(rows, removed);
  }

  return { changes: handOn, everything: readAllAgain, configured };
}

function idsOf(changes: readonly Change[]) {
  const sessions = new Set<SessionId>();
  const shares = new Set<ShareId>();
  const keys = new Set<ApiKeyId>();
  const members = new Set<MemberId>();
  const providers = new Set<ProviderDefinitionId>();
  for (const change of changes) {
    if (change.kind === 'session') sessions.add(change.id);
    else if (change.kind === 'share') shares.add(change.id);
    else if (change.kind === 'api-key') keys.add(change.id);
    else if (change.kind === 'member') members.add(change.id);
    else if (change.kind === 'provider') providers.add(change.id);
  }
  return { sessions, shares, keys, members, providers };
}

/** Shares that are built and handed on before something else gets a turn: a few milliseconds. */
const AT_ONCE = 250;
