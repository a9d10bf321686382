// The accounts of a person who is logged in, and the change from one to another. A session is of one account:
// the change ends it and begins one of the other, for a member there who is bound to the very login that the
// session began with, and until the same moment. Into any other account leads its own login. What an
// account's own provider says counts in that account alone, so it leads to no other.

import type { Context } from 'hono';
import { type Person, type WayInto, wayInto } from '../../domain/member-match.ts';
import { randomToken, Secret, secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { MemberLike, MemberSession } from '../../store/people/console-session.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { checkJsonBody } from '../json-body.ts';
import type { OperationDeps } from '../operation-deps.ts';
import { requireCertificateOf } from '../who-calls.ts';
import { SESSION_LIFETIME_MS } from './complete.ts';
import { requireSession, sessionToken } from './console-caller.ts';
import { aboutMember, aboutSession, recordedLogin } from './console-note.ts';
import { consoleCookie } from './console-settings.ts';
import { ownerNow } from './owner-now.ts';
import { requireOwnPage } from './own-page.ts';

type OwnAccount = { readonly member: MemberLike; readonly way: WayInto };

/** `{accounts: [{id, name, role, isCurrent, needsLogin, login}]}`; `login` is where that begins. */
export async function listOwnAccounts(deps: ControlDeps, c: Context<ControlEnv>): Promise<Response> {
  const { session } = await requireMember(deps, c);
  const accounts = await accountsOf(deps, c, session);
  return c.json({
    accounts: accounts.map(({ member: { accountId, accountName, role, accessEnded }, way }) => ({
      id: accountId,
      name: accountName,
      role,
      isCurrent: accountId === session.member.accountId,
      needsLogin: way.kind === 'login' || accessEnded,
      login: loginPath(way.kind === 'login' ? way.provider : session.provider, accountName),
    })),
  });
}

/** For `{account}`, an id. Throws `account_unknown` for any that the session cannot go on in. */
export async function changeAccount(
  deps: ControlDeps & Pick<OperationDeps, 'countChange'>,
  c: Context<ControlEnv>,
): Promise<Response> {
  const { session, token } = await requireMember(deps, c);
  await checkJsonBody(c);
  const { accountId, role } = session.member;
  deps.countChange(accountId, role === 'admin');
  const named = accountIn(await c.req.json());
  const accounts = await accountsOf(deps, c, session);
  const found = accounts.find(({ member, way }) => member.accountId === named && way.kind === 'bound');
  if (found === undefined || session.person === null)
    throw new ServiceError('account_unknown', 'Cannot change the account: it needs a login of its own');
  await requireCertificateOf(deps, c.env, found.member.accountId);
  const next = new Secret(randomToken());
  const { person, expiresAt, provider } = session;
  const entry = await recordedLogin(
    deps,
    c.env,
    () =>
      deps.store.consoleSessions.begin({
        person,
        // An address alone makes nobody a member without a login.
        vouched: false,
        within: found.member.accountId,
        accountName: null,
        invitation: null,
        hash: secretHash(next),
        createdAt: deps.now(),
        ageMs: ageOf(deps, session),
        expiresAt,
        ip: c.env.address,
        replaces: secretHash(token),
        goesOn: true,
      }),
    (begun) =>
      begun.kind !== 'member'
        ? []
        : [
            { ...aboutSession(session), kind: 'console.logout', reason: CHANGE },
            { ...aboutMember(begun.member), kind: 'console.login', provider, reason: CHANGE },
          ],
  );
  if (entry.kind !== 'member')
    throw new ServiceError('account_unknown', 'Cannot change the account: it needs a login of its own');
  const maxAgeSeconds = Math.ceil((expiresAt - deps.now()) / 1000);
  const cookie = { name: 'svc-control', value: next.reveal(), maxAgeSeconds } as const;
  c.header('set-cookie', consoleCookie(deps.settings().console, cookie));
  return c.body(null, 204);
}

/**
 * How long ago the person set out to log in, at most: whoever's access was ended in the other account since
 * needs a login there. A session ends so long after its login, however often the account changed.
 */
function ageOf({ now, settings }: ControlDeps, { expiresAt }: MemberSession): number {
  const { intermediateLifetimeMs } = settings().console;
  return now() - (expiresAt - SESSION_LIFETIME_MS) + 2 * intermediateLifetimeMs;
}

/** Throws `login_required`; `not_allowed` for whoever did not log in as a member. */
async function requireMember(
  deps: ControlDeps,
  c: Context<ControlEnv>,
): Promise<{ readonly session: MemberSession; readonly token: Secret }> {
  requireOwnPage(c.req, deps.settings().console.publicUrl);
  const token = sessionToken(deps, c.req);
  if (token === null)
    throw new ServiceError('login_required', 'Cannot show your accounts: this browser is not logged in');
  const session = await requireSession(deps, token);
  if (session.kind === 'member') return { session, token };
  throw new ServiceError('not_allowed', 'Cannot show your accounts: no member is logged in');
}

/** One for each account, the current one always among them. */
async function accountsOf(
  deps: ControlDeps,
  { env }: Context<ControlEnv>,
  session: MemberSession,
): Promise<readonly OwnAccount[]> {
  const { member, accountName } = session;
  const current = { member: { ...member, accountName, accessEnded: false }, way: { kind: 'bound' } } as const;
  const person = widelyKnown(deps, { env }, session);
  if (person === null) return [current];
  const others = new Map<string, OwnAccount>();
  for (const each of await deps.store.consoleSessions.membersLike(person, ageOf(deps, session))) {
    const way = wayInto(person, each);
    if (way === null || each.accountId === member.accountId) continue;
    if (way.kind === 'bound' || !others.has(each.accountId))
      others.set(each.accountId, { member: each, way });
  }
  return [current, ...others.values()];
}

/** Null for whoever is known to one account alone, or to none as the provider stands now. */
function widelyKnown(
  { settings }: ControlDeps,
  { env }: Pick<Context<ControlEnv>, 'env'>,
  session: MemberSession,
): Person | null {
  const owner = ownerNow(settings().console, session, env);
  return owner === null || owner.within !== null ? null : owner.person;
}

function loginPath(provider: string, account: string): string {
  return `/auth/login?${new URLSearchParams({ provider, account })}`;
}

/** Throws `validation_failed` for anything but `{account}`. */
function accountIn(body: unknown): string {
  const given = typeof body === 'object' && body !== null && 'account' in body ? body.account : null;
  if (typeof given === 'string' && Object.keys(body ?? {}).length === 1) return given;
  throw new ServiceError(
    'validation_failed',
    'Cannot change the account: the body is not {"account": "acc_…"}',
    {
      extra: { faults: [{ path: 'account', message: 'send the id of the account, and nothing else' }] },
    },
  );
}

const CHANGE = 'account_change';
