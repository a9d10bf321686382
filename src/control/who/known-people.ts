// The people whom an account knows, a page at a time: who has a session, or had one lately; who asked for
// access to the share or tried to log in lately; and who holds a client certificate, where rules ask for one.
// What a provider said that has another identity source since says nothing of anybody.

import { ACCESS_REQUEST_STATES } from '../../domain/access-request-state.ts';
import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import { certificateOf, type KnownPerson, personOf } from '../../domain/known-person.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { SeenLogin } from '../../domain/seen-login.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import type { Store } from '../../store/store.ts';
import type { KnownPersonObject } from '../../wire/who.ts';
import type { Place } from './place.ts';

export type Known = {
  readonly person: KnownPerson;
  readonly knownBy: KnownPersonObject['knownBy'];
  readonly certificate: KeptCertificate | null;
  /** In milliseconds since the epoch. */
  readonly at: number;
};

export type KnownQuery = {
  readonly accountId: AccountId;
  readonly shareId: ShareId;
  /** Those that the account's shares may use. */
  readonly providers: readonly ProviderRef[];
  /** Whether certificates are asked for, and the caller's to see. */
  readonly withCertificates: boolean;
  readonly place: Place;
  readonly limit: number;
  readonly now: number;
};

type Page = { readonly people: readonly Known[]; readonly next: Place | null };

/** Goes on to the next source while there is room, but looks at few in all. */
export async function knownPeople(store: Store, query: KnownQuery): Promise<Page> {
  const people: Known[] = [];
  let next: Place | null = query.place;
  for (let looks = 0; next !== null && people.length < query.limit && looks < MOST_LOOKS; looks++) {
    const left = { ...query, place: next, limit: query.limit - people.length };
    const page: Page = await PAGES[next.stage](store, left);
    people.push(...page.people);
    next = page.next;
  }
  return { people, next };
}

/** Whether what it said is of the identity source that the provider has now. */
export function isOfNow(
  providers: readonly ProviderRef[],
  { provider, providerGeneration }: Pick<SeenLogin, 'provider' | 'providerGeneration'>,
): boolean {
  return providers.some(({ name, generation }) => name === provider && generation === providerGeneration);
}

const PAGES: Readonly<Record<Place['stage'], (store: Store, query: KnownQuery) => Promise<Page>>> = {
  sessions: async ({ sessions }, { accountId, providers, place, limit }) => {
    const { logins, next } = await sessions.seenLogins({ accountId, after: place.after, limit });
    const people = logins
      .filter((login) => isOfNow(providers, login))
      .map((login) => ({
        person: personOf(login),
        knownBy: 'session' as const,
        certificate: null,
        at: login.at,
      }));
    return { people, next: next === null ? AFTER_SESSIONS : { stage: 'sessions', after: next } };
  },
  others: async (store, query) => {
    const { accountId, providers, place, limit, withCertificates } = query;
    const all = await knownByLess(store, query);
    const left = [...all].filter(([key]) => key > (place.after ?? '')).toSorted(byKey);
    const page = left.slice(0, limit);
    const people: Known[] = [];
    for (const [, { login, knownBy }] of page) {
      const seen = await store.sessions.loginsOf({ accountId, email: login.email });
      const isSeen = seen.some((each) => each.provider === login.provider && isOfNow(providers, each));
      if (!isSeen) people.push({ person: personOf(login), knownBy, certificate: null, at: login.at });
    }
    const last = page.at(-1)?.[0];
    if (left.length > limit && last !== undefined) return { people, next: { stage: 'others', after: last } };
    return { people, next: withCertificates ? { stage: 'certificates', after: null } : null };
  },
  certificates: async ({ certificates }, { accountId, place, limit, now, withCertificates }) => {
    if (!withCertificates) return { people: [], next: null };
    const after = place.after === null ? null : [place.after];
    const found = await certificates.list({ ...EVERY_LIVING, accountId, now, after, limit });
    const people = found.certificates
      // Those of agents open no share.
      .filter(({ apiRole, notBefore }) => apiRole !== 'tunnel' && notBefore <= now)
      .map((certificate) => ({
        person: { ...NOBODY, certificate: certificateOf(certificate.subject) },
        knownBy: 'certificate' as const,
        certificate,
        at: certificate.createdAt,
      }));
    return {
      people,
      next: found.next === null ? null : { stage: 'certificates', after: String(found.next[0]) },
    };
  },
};

type ByLess = {
  readonly login: Omit<SeenLogin, 'providerGeneration'>;
  readonly knownBy: 'access_request' | 'audit';
};

/** By address and provider. Nothing but these is known of them. */
async function knownByLess(
  store: Store,
  { accountId, shareId, providers }: KnownQuery,
): Promise<ReadonlyMap<string, ByLess>> {
  const found = new Map<string, ByLess>();
  for (const { email, provider, at } of await store.audit.latestLogins(accountId)) {
    const login = { email, provider, facts: null, at };
    if (providers.some(({ name }) => name === provider)) found.set(keyOf(login), { login, knownBy: 'audit' });
  }
  for (const state of ACCESS_REQUEST_STATES) {
    const page = { accountId, shareId, state, after: null, limit: MOST_REQUESTS };
    for (const request of await store.accessRequests.list(page)) {
      const { email, provider, lastAskedAt } = request;
      const login = { email, provider, facts: null, at: lastAskedAt };
      if (isOfNow(providers, request)) found.set(keyOf(login), { login, knownBy: 'access_request' });
    }
  }
  return found;
}

function keyOf({ email, provider }: Pick<SeenLogin, 'email' | 'provider'>): string {
  return `${comparableAddress(email)} ${provider}`;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

const AFTER_SESSIONS: Place = { stage: 'others', after: null };
const NOBODY = { email: null, provider: null, facts: new Map() } as const;
const EVERY_LIVING = {
  emailAddress: null,
  text: null,
  tokenId: null,
  state: 'living',
  endsBefore: null,
} as const;
/** One at each source, and one more. */
const MOST_LOOKS = 4;
/** Of each state: the newest. */
const MOST_REQUESTS = 200;
