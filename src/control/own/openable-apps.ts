// Which shares a person may open: each is judged by the gate's own evaluator, with all that is known of the
// person here. What could still turn out either way is not told.

import type { AskedCertificate, AskedFacts } from '../../domain/asked-facts.ts';
import type { AccountId } from '../../domain/id.ts';
import { certificateOf } from '../../domain/known-person.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import { hostOrigin, shareOrigin } from '../../domain/share-name.ts';
import { asksCertificate } from '../../domain/share-rules.ts';
import { wouldLetIn } from '../../domain/would-let-in.ts';
import type { OwnPlace } from '../../store/people/own-places.ts';
import type { FoundShares, ShareRow } from '../../store/shares/share.ts';
import type { OwnShareObject } from '../../wire/own.ts';
import type { ControlDeps, ControlSettings, Me } from '../control-deps.ts';
import { routedNow } from '../shares/view.ts';
import { inSlices } from '../who/in-slices.ts';
import type { AppsWork } from './apps-work.ts';

/** The account to go on in, and the last share of it that was looked at. */
export type AppsPlace = { readonly account: string; readonly after: string | null };

export type OpenedBy = {
  readonly me: Me;
  readonly facts: SessionFacts | null;
  /** Those that are valid, by the account that issued them. */
  readonly certificates: ReadonlyMap<AccountId, readonly AskedCertificate[]>;
};

type Deps = Pick<ControlDeps, 'store' | 'now' | 'settings'>;

export async function openedBy({ store, now }: Deps, me: Me): Promise<OpenedBy> {
  const [facts, found] = await Promise.all([
    store.own.facts(me),
    store.own.certificates(me, MOST_CERTIFICATES),
  ]);
  const at = now();
  const certificates = new Map<AccountId, readonly AskedCertificate[]>();
  for (const { certificate } of found) {
    const { accountId, apiRole, revokedAt, notBefore, notAfter, subject } = certificate;
    if (apiRole === 'tunnel' || revokedAt !== null || notBefore > at || notAfter <= at) continue;
    certificates.set(accountId, [...(certificates.get(accountId) ?? []), certificateOf(subject)]);
  }
  return { me, facts, certificates };
}

type Wanted = {
  readonly place: AppsPlace;
  readonly limit: number;
  readonly text: string;
  readonly work: AppsWork;
};
type Apps = { readonly apps: readonly OwnShareObject[]; readonly next: AppsPlace | null };

/**
 * At most `limit`, and only so many looks: a page may hold none and still go on. An account whose shares took
 * too much work lately is passed by, so that it hides nobody else's.
 */
export async function openableApps(
  deps: Deps,
  person: OpenedBy,
  { place, limit, text, work }: Wanted,
): Promise<Apps> {
  const { store, now } = deps;
  const settings = deps.settings();
  const apps: OwnShareObject[] = [];
  const until = performance.now() + MOST_WORK_MS;
  let at = place;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const [account, following] = await store.own.places(person.me, { from: at.account, limit: 2 });
    if (account === undefined) return { apps, next: null };
    // The account of the cursor may be none of theirs any more.
    const after = account.id === at.account ? at.after : null;
    const page = { after: after === null ? null : [after], limit: limit - apps.length };
    const { shares, next } = work.isUsedUp(account.id) ? NOTHING : await store.shares.list(account.id, page);
    const seen = shares.filter((row) => row.listed && saysText(row, text.toLowerCase()));
    let tookMs = shares.length * READING_MS;
    const judge = (row: ShareRow) => {
      const since = performance.now();
      const isOpen = mayOpen(row, { ...person, account, settings, now: now() });
      tookMs += performance.now() - since;
      return isOpen;
    };
    const judged = await inSlices(seen, judge, Math.max(1, until - performance.now()));
    work.charge(account.id, tookMs);
    for (const [index, isOpen] of judged.entries()) {
      const row = seen[index];
      if (isOpen && row !== undefined) apps.push(appOf(row, account, settings));
    }
    if (judged.length < seen.length)
      return { apps, next: { account: account.id, after: seen[judged.length - 1]?.name ?? after } };
    if (next === null && following === undefined) return { apps, next: null };
    at =
      next === null
        ? { account: following?.id ?? '', after: null }
        : { account: account.id, after: shares.at(-1)?.name ?? after };
    if (apps.length >= limit || performance.now() >= until) return { apps, next: at };
  }
  return { apps, next: at };
}

function saysText({ name, description }: ShareRow, text: string): boolean {
  return name.includes(text) || (description ?? '').toLowerCase().includes(text);
}

type Judging = OpenedBy & {
  readonly account: OwnPlace;
  readonly settings: ControlSettings;
  readonly now: number;
};

/**
 * Of an account that only issued a certificate, what that opens alone: anybody's address can be written into
 * one, and what else is open there is shown to nobody who never went there.
 */
function mayOpen(row: ShareRow, { me, facts, certificates, account, settings, now }: Judging): boolean {
  const share = routedNow(row, settings);
  const said: AskedFacts = {
    email: me.person.email,
    provider: me.person.provider,
    groups: facts?.groups ?? undefined,
    claims: facts?.claims,
    acr: facts?.acr ?? undefined,
    address: me.address,
    token: null,
    path: '/',
    method: 'GET',
  };
  const shown = asksCertificate(share) ? (certificates.get(row.accountId) ?? []) : [];
  const opens = (certificate: AskedCertificate | null) =>
    wouldLetIn(share, { ...said, certificate }, now).outcome === 'allowed';
  return opens(null) ? !account.byCertificateAlone : shown.some(opens);
}

function appOf(
  { name, hosts, behind, description, icon }: ShareRow,
  { name: account }: OwnPlace,
  { shareBase }: ControlSettings,
): OwnShareObject {
  // An app behind a proxy of its own is where that proxy is.
  const [own] = behind ? hosts : [];
  const url = own === undefined ? shareOrigin(name, shareBase) : hostOrigin(own, shareBase);
  return { share: name, account, url, description, icon };
}

const NOTHING: FoundShares = { shares: [], next: null };
/** Of a share with few rules. */
const READING_MS = 0.1;
/** A share with as many patterns as it may have takes tens of milliseconds. */
const MOST_WORK_MS = 200;
/** Of one page; each is two small reads. */
const MOST_LOOKS = 10;
/** The longest lasting ones: few people have more devices. */
const MOST_CERTIFICATES = 20;
