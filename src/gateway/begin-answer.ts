// `GET /.svc/begin` on a share host: the last leg of a login over https. The callback's grant counts here
// alone, beside the binding cookie that this very browser got when it set out; then the store confirms the
// session, and the visitor goes on to where they wanted to go. A grant that does not count confirms nothing:
// the address asks for a login of this browser's own.
//
//   callback ──302 + session cookie──▶ /.svc/begin?grant=… ──here, in time, bound──▶ confirm ──302──▶ the address asked for
//                                         └ forged, elsewhere ─▶ 400     └ late, other browser ──302──▶ the same, to log in
//
// At a host that `cookie_domain` does not reach, the confirmed session gets a cookie of that host alone
// (`login/host-session-cookie.ts`).
//
// An address too long for the login waits here, in cookies of this path (`kept-address.ts`); so the leg is
// walked for it over plain HTTP, too, where there is nothing to confirm.

import { isReservedPath } from '../domain/reserved-path.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Session, SessionState } from '../domain/session.ts';
import { GUARD_HEADERS } from '../http/content-security.ts';
import { openBeginGrant, type BeginGrant } from '../login/begin-grant.ts';
import { hostSessionCookie } from '../login/host-session-cookie.ts';
import { addressKey } from '../login/kept-address.ts';
import { safeReturnUrl } from '../login/return-url.ts';
import { bindingsIn } from './binding.ts';
import type { Admission } from './admission.ts';
import { keptAddress, spentAddress } from './kept-address.ts';
import type { ConfirmQuestion } from './messages.ts';
import { addressKeyIn } from './own-routes.ts';
import { refuse, sendAnswer } from './refuse.ts';

export type Beginning = {
  readonly returnUrl: string;
  /** The address was longer, and this browser has the rest no more. */
  readonly isCut: boolean;
  /** Set-Cookie values that take back what is not needed any more. */
  readonly spent: readonly string[];
  /** Null when this browser has nothing to confirm. */
  readonly question: ConfirmQuestion | null;
  /** What this host's own session cookie is to say once it is confirmed; null where another says it. */
  readonly session: Session | null;
};

/**
 * Throws `method_not_allowed`, `foreign_origin` for what is no page load of a person, `request_invalid` for
 * no grant of this host. A kept address needs no grant to be gone back to: it is this browser's own.
 */
export function readBeginning(admission: Admission, now: number): Beginning {
  const { visit, request, parts, facts, share } = admission;
  // What looks at a link must not use it up.
  if (visit.exchange.method !== 'GET')
    throw new ServiceError('method_not_allowed', 'Cannot use this method here', { extra: { allow: 'GET' } });
  const { fetchMode, fetchDest } = facts;
  if (fetchMode !== null && (fetchMode !== 'navigate' || fetchDest !== 'document'))
    throw new ServiceError(
      'foreign_origin',
      'Cannot begin a session: the browser loaded this page ahead of time',
    );
  const key = addressKeyIn(request.target);
  const [sealed, ...more] = new URLSearchParams(queryOf(request.target)).getAll('grant');
  if (sealed === undefined && key !== null) return resumed(admission, key);
  const grant = sealed === undefined || more.length > 0 ? null : openBeginGrant(parts.seal, sealed);
  if (
    grant === null ||
    grant.shareId !== share.id ||
    grant.addressKey !== key ||
    !isHere(grant.returnUrl, facts.ownOrigin)
  )
    throw new ServiceError('request_invalid', 'Cannot begin a session: the grant is for another host');
  const { sessionId, shareId, bindingHash, setOutAt, expiresAt, session: kept } = grant;
  const destination = destinationOf(admission, grant);
  const isBound = parts.secure && bindingHash !== null && bindingsIn(visit.facts.cookie).has(bindingHash);
  if (!isBound || !(now < expiresAt)) return { ...destination, question: null, session: null };
  const { session, others } = admission;
  const former = [...(session === null ? [] : [session]), ...others].map(({ id }) => id);
  return {
    ...destination,
    session: kept,
    question: {
      ask: 'confirm',
      sessionId,
      shareId,
      bindingHash,
      setOutAt,
      former: former.filter((id) => id !== sessionId),
    },
  };
}

/** On to where the visitor wanted to go; the address says what they may. */
export function answerBegun(admission: Admission, beginning: Beginning, state?: SessionState): void {
  const { visit, parts } = admission;
  const { returnUrl, isCut, spent } = beginning;
  const cookies = [...spent, ...ownCookie(admission, beginning, state)].map(
    (value) => ['set-cookie', value] as const,
  );
  if (!isCut) {
    const headers = [['location', returnUrl] as const, ...GUARD_HEADERS, ...cookies];
    sendAnswer(visit, { status: 302, headers, body: null });
    return;
  }
  const error = new ServiceError(
    'address_lost',
    'Cannot return to the original address: this browser no longer has it',
  );
  const actions = [{ label: 'Continue', href: returnUrl, primary: true }];
  refuse(visit, parts.settings.brand, error, { actions, headers: cookies });
}

/** Of a session that counts now, where the browser brings no other cookie of it. */
function ownCookie(
  { request, parts }: Admission,
  { session }: Beginning,
  state: SessionState | undefined,
): readonly string[] {
  if (session === null || state?.confirmed !== true || state.ended) return [];
  const { cookieName } = parts.settings;
  return [
    hostSessionCookie({ seal: parts.seal, cookieName, now: Date.now() }, { host: request.host, session }),
  ];
}

type Destination = Omit<Beginning, 'question' | 'session'>;

function destinationOf(admission: Admission, grant: BeginGrant): Destination {
  const { returnUrl, addressKey: key, bindingHash } = grant;
  if (key === null) return { returnUrl, isCut: false, spent: [] };
  const { cookie } = admission.visit.facts;
  const spent = spentAddress(admission.parts, key, cookie);
  const whole = wholeAddress(admission, key);
  const isOfLogin = whole !== null && addressKey({ url: whole.kept, bindingHash }) === key;
  return isOfLogin ? { returnUrl: whole.url, isCut: false, spent } : { returnUrl, isCut: true, spent };
}

/**
 * Back to an address that waits here, from a page that says why its login came to nothing: there it is asked
 * for again.
 */
function resumed(admission: Admission, key: string): Beginning {
  const whole = wholeAddress(admission, key);
  const returnUrl = whole?.url ?? `${admission.facts.ownOrigin}/`;
  return { returnUrl, isCut: whole === null, spent: [], question: null, session: null };
}

type Whole = { readonly kept: string; readonly url: string };

/** As this browser has it, and as it may be gone to: judged as the callback judges what the login carries. */
function wholeAddress({ visit, share, parts, facts }: Admission, key: string): Whole | null {
  const kept = keptAddress(parts, key, visit.facts.cookie);
  if (kept === null) return null;
  const url = safeReturnUrl(kept, share, parts.base);
  return isHere(kept, facts.ownOrigin) && isHere(url, facts.ownOrigin) ? { kept, url } : null;
}

/**
 * The callback has judged the address, and nothing but the callback seals it; it is judged where it is used
 * all the same.
 */
function isHere(returnUrl: string, ownOrigin: string): boolean {
  const url = URL.parse(returnUrl);
  return url !== null && url.origin === ownOrigin && !isReservedPath(url.pathname);
}

function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
