// GET /auth/complete: a person comes back from the login with a grant. It is used once, in the browser that
// set out, and becomes a session at the control plane, with which the console opens: a member's for 12 hours,
// or one of a person who is no member, for their own things alone.

import type { Candidate, Person } from '../../domain/member-match.ts';
import { isVerifiedEnough } from '../../domain/provider-ref.ts';
import { randomToken, Secret, secretHash, shortHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Answer } from '../../http/answer.ts';
import type { PageContent } from '../../http/page-html.ts';
import { renderPage } from '../../http/page.ts';
import { openConsoleGrant, type ConsoleGrant } from '../../login/console-grant.ts';
import type { ConsoleEntry } from '../../store/people/people.ts';
import type { ControlDeps } from '../control-deps.ts';
import { aboutMember, type ConsoleNote, note, recordedLogin } from './console-note.ts';
import { accountOf, type ConsoleProvider, consoleCookie, readConsoleCookie } from './console-settings.ts';
import type { ConsoleVisit } from './console-visit.ts';
import { beginVisit, VISIT_LIFETIME_MS } from './visitor-login.ts';

export async function completeConsoleLogin(deps: ControlDeps, visit: ConsoleVisit): Promise<Answer> {
  const { grant, provider } = await takeGrant(deps, visit);
  const token = new Secret(randomToken());
  const entry = await begin(deps, visit, { grant, provider, token });
  if (entry.kind === 'choice') return choicePage(deps, visit, { grant, members: entry.members });
  if (entry.kind === 'nobody') {
    if (await isVisitor(deps, visit, { grant, provider, token }))
      return toConsole(deps, { token, lifetimeMs: VISIT_LIFETIME_MS });
    await note(deps, visit, {
      kind: 'console.refused',
      accountId: provider.accountId,
      provider: provider.name,
      email: grant.identity.email,
      reason: entry.reason,
    });
    throw new ServiceError('not_a_member', `Cannot log in ${grant.identity.email}: ${entry.reason}`, {
      extra: { reason: entry.reason },
    });
  }
  return toConsole(deps, { token, lifetimeMs: SESSION_LIFETIME_MS });
}

type Taken = { readonly grant: ConsoleGrant; readonly provider: ConsoleProvider };

/** The grant, used up. Throws what is wrong with it before anything is written. */
async function takeGrant(deps: ControlDeps, { query, cookie }: ConsoleVisit): Promise<Taken> {
  const settings = deps.settings().console;
  const grant = openConsoleGrant(settings.seal, query.get('grant') ?? '');
  if (grant === null)
    throw new ServiceError('request_invalid', 'Cannot log in: the grant is not from this service');
  if (deps.now() >= grant.expiresAt)
    throw new ServiceError('request_expired', 'Cannot log in: the grant has expired');
  const binding = readConsoleCookie(settings, 'svc-control-bind', cookie);
  if (binding === null || shortHash(binding) !== grant.bindingHash)
    throw new ServiceError('state_foreign', 'Cannot log in: the login started in another browser');
  const provider = settings.findProvider(grant.identity.provider);
  if (provider === undefined || provider.generation !== grant.providerGeneration)
    throw new ServiceError('request_expired', 'Cannot log in: the provider changed during the login');
  accountOf(provider);
  if (!isVerifiedEnough(provider, grant.identity))
    throw new ServiceError(
      'email_unverified',
      'Cannot log in: the provider did not say that the address is verified',
    );
  if (!(await deps.store.attempts.claim(grant.id, grant.expiresAt)))
    throw new ServiceError('state_replayed', 'Cannot log in: the grant was already used');
  return { grant, provider };
}

type Beginning = Taken & { readonly token: Secret };

/**
 * Whoever came with an invitation, or for one account, wanted to be a member, and hears why they are none.
 */
async function isVisitor(
  deps: ControlDeps,
  visit: ConsoleVisit,
  { grant, provider, token }: Beginning,
): Promise<boolean> {
  if (grant.invitation !== null || grant.accountName !== null) return false;
  const person = personOf(grant);
  return beginVisit(deps, visit, { person, provider, token, replaces: formerSession(deps, visit) });
}

function personOf({ identity, providerGeneration: generation }: ConsoleGrant): Person {
  return { ...identity, generation, emailVerified: identity.emailVerified === true };
}

/** The hash of what this browser had before. */
function formerSession(deps: ControlDeps, { cookie }: ConsoleVisit): string | null {
  const former = readConsoleCookie(deps.settings().console, 'svc-control', cookie);
  return former === null ? null : secretHash(new Secret(former));
}

function begin(
  deps: ControlDeps,
  visit: ConsoleVisit,
  { grant, provider, token }: Beginning,
): Promise<ConsoleEntry> {
  const now = deps.now();
  const person = personOf(grant);
  const login = {
    person,
    // What was said before the provider was asked to verify addresses makes nobody a member.
    vouched: provider.verifiesEmail && person.emailVerified,
    within: provider.accountId,
    accountName: grant.accountName,
    invitation: grant.invitation,
    hash: secretHash(token),
    createdAt: now,
    ageMs: now - grant.setOutAt,
    expiresAt: now + SESSION_LIFETIME_MS,
    ip: visit.address,
    replaces: formerSession(deps, visit),
  };
  return recordedLogin(
    deps,
    visit,
    () => deps.store.consoleSessions.begin(login),
    (entry) => notesOf(entry, provider),
  );
}

function gone(name: string) {
  return { reason: name, changes: { before: { name }, after: null } };
}

function notesOf(entry: ConsoleEntry, { name }: ConsoleProvider): readonly ConsoleNote[] {
  if (entry.kind === 'choice' || entry.kind === 'nobody') return [];
  const about = { ...aboutMember(entry.member), provider: name };
  const login = { ...about, kind: 'console.login' } as const;
  if (!entry.accepted) return [login];
  const keys = entry.endedKeys.map((ended) =>
    Object.assign({ kind: 'api_key.deleted' } as const, about, gone(ended)),
  );
  const tokens = entry.endedTokens.map((ended) =>
    Object.assign({ kind: 'service_token.deleted' } as const, about, gone(ended)),
  );
  return [{ ...about, kind: 'member.accepted' }, ...keys, ...tokens, login];
}

/** On to the console, which says who is logged in. The grant in this address is spent. */
function toConsole(
  deps: ControlDeps,
  { token, lifetimeMs }: { readonly token: Secret; readonly lifetimeMs: number },
): Answer {
  const settings = deps.settings().console;
  const session = {
    name: 'svc-control',
    value: token.reveal(),
    maxAgeSeconds: lifetimeMs / 1000,
  } as const;
  const spent = { name: 'svc-control-bind', value: '', maxAgeSeconds: 0 } as const;
  return {
    status: 303,
    headers: [
      ['location', '/console/'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['set-cookie', consoleCookie(settings, session)],
      ['set-cookie', consoleCookie(settings, spent)],
    ],
    body: null,
  };
}

/** The grant is spent, so each choice is a new login; the provider knows the person by now. */
function choicePage(
  deps: ControlDeps,
  visit: ConsoleVisit,
  { grant, members }: { readonly grant: ConsoleGrant; readonly members: readonly Candidate[] },
): Answer {
  const { provider } = grant.identity;
  return page(deps, visit, {
    title: 'Choose an account',
    paragraphs: ['You are a member of several accounts.'],
    details: [{ label: 'Logged in as', value: grant.identity.email }],
    actions: members.map(({ accountName }) => ({
      label: accountName,
      href: `/auth/login?${new URLSearchParams({ provider, account: accountName })}`,
      primary: false,
    })),
  });
}

type Content = Pick<PageContent, 'title' | 'paragraphs' | 'details' | 'actions'>;

function page(deps: ControlDeps, { requestId }: ConsoleVisit, content: Content): Answer {
  return renderPage({ ...content, status: 200, tone: 'info', requestId }, deps.settings().console.brand);
}

/** A working day. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;
