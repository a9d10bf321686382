// `GET /.svc/begin` on a share host: the last leg of a login over https. The callback's grant counts here alone, beside the binding
// cookie that this very browser got when it set out; then the store confirms the session, and the visitor goes on to where
// they wanted to go. A grant that does not count confirms nothing: the address asks for a login of this browser's own.
//
//   callback ──302 + session cookie──▶ /.svc/begin?grant=… ──here, in time, bound──▶ confirm ──302──▶ the address asked for
//                                         └ forged, elsewhere ─▶ 400     └ late, other browser ──302──▶ the same, to log in

import { isReservedPath } from '../domain/reserved-path.ts';
import { ServiceError } from '../domain/service-error.ts';
import { GUARD_HEADERS } from '../http/content-security.ts';
import { openBeginGrant, type BeginGrant } from '../login/begin-grant.ts';
import { bindingsIn } from './binding.ts';
import type { Admission } from './gate.ts';
import type { ConfirmQuestion } from './messages.ts';
import { sendAnswer } from './refuse.ts';

export type Beginning = {
  readonly returnUrl: string;
  /** Null when this browser has nothing to confirm. */
  readonly question: ConfirmQuestion | null;
};

/** Throws `method_not_allowed`, `foreign_origin` for what is no page load of a person, `request_invalid` for no grant of this host. */
export function readBeginning(admission: Admission, now: number): Beginning {
  const { visit, request, parts, facts, share } = admission;
  // What looks at a link must not use it up.
  if (visit.exchange.method !== 'GET')
    throw new ServiceError('method_not_allowed', 'Cannot use this method here', { extra: { allow: 'GET' } });
  const { fetchMode, fetchDest } = facts;
  if (fetchMode !== null && (fetchMode !== 'navigate' || fetchDest !== 'document'))
    throw new ServiceError('foreign_origin', 'Cannot begin a session: no person opened this');
  const [sealed, ...more] = new URLSearchParams(queryOf(request.target)).getAll('grant');
  const grant = sealed === undefined || more.length > 0 ? null : openBeginGrant(parts.seal, sealed);
  if (grant === null || grant.shareId !== share.id || !isHere(grant, facts.ownOrigin))
    throw new ServiceError('request_invalid', 'Cannot begin a session: the grant was not made for this host');
  const { sessionId, shareId, bindingHash, setOutAt, returnUrl, expiresAt } = grant;
  const isBound = parts.secure && bindingsIn(visit.facts.cookie).has(bindingHash);
  if (!isBound || !(now < expiresAt)) return { returnUrl, question: null };
  const { session, others } = admission;
  const former = [...(session === null ? [] : [session]), ...others].map(({ id }) => id);
  return {
    returnUrl,
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
export function answerBegun({ visit }: Admission, returnUrl: string): void {
  sendAnswer(visit, { status: 302, headers: [['location', returnUrl], ...GUARD_HEADERS], body: null });
}

/** The callback has judged the address, and nothing but the callback seals it; it is judged where it is used all the same. */
function isHere({ returnUrl }: BeginGrant, ownOrigin: string): boolean {
  const url = URL.parse(returnUrl);
  return url !== null && url.origin === ownOrigin && !isReservedPath(url.pathname);
}

function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
