// What went wrong between an ACME server and us, and what follows from it: whether the order is over, whether
// others would meet the same, and when it may be tried again.

export type AcmeFaultKind =
  /** The server does not answer, or says that it cannot for now: every order would meet it. */
  | 'server'
  /** It limits requests: this name waits as long as it says. */
  | 'limited'
  /** The order is over: a challenge failed, or it was refused. The next try begins a new one. */
  | 'order'
  /** It took too long, or something here failed; the order goes on with the next try. */
  | 'later'
  /** The account's key is not known there (any more). */
  | 'account'
  /** Another order of ours replaces that certificate already (RFC 9773 section 5). */
  | 'replaced';

export class AcmeFault extends Error {
  override readonly name = 'AcmeFault';
  readonly kind: AcmeFaultKind;
  /** What the server asked for; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: AcmeFaultKind,
    message: string,
    more: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_MESSAGE), { cause: more.cause });
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

/** The problem document of an answer (RFC 8555 section 6.7) as a fault. */
export function problemFault(
  status: number,
  body: unknown,
  more: { readonly doing: string; readonly retryAfterMs: number | null },
): AcmeFault {
  const { type = '', detail = '', subproblems } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = String(type).replace(ERROR_PREFIX, '');
  const details = [detail, ...detailsOf(subproblems)].filter((text) => text !== '').join('; ');
  const said = `${status} ${name}${details === '' ? '' : `: ${details}`}`.trim();
  return new AcmeFault(kindOf(status, name), `Cannot ${more.doing}: the ACME server answered ${said}`, {
    retryAfterMs: more.retryAfterMs,
  });
}

/** What a challenge or authorization says of its failure. */
export function problemText(problem: unknown): string {
  const { type = '', detail = '' } = (problem ?? {}) as Readonly<Record<string, unknown>>;
  const name = String(type).replace(ERROR_PREFIX, '');
  return [name, String(detail)].filter((text) => text !== '').join(': ') || 'no reason given';
}

function detailsOf(subproblems: unknown): readonly string[] {
  if (!Array.isArray(subproblems)) return [];
  return subproblems.slice(0, MAX_SUBPROBLEMS).map(problemText);
}

function kindOf(status: number, name: string): AcmeFaultKind {
  if (name === 'rateLimited' || status === 429) return 'limited';
  if (status >= 500 || name === 'badNonce' || name === 'serverInternal') return 'server';
  if (name === 'accountDoesNotExist' || name === 'unauthorized') return 'account';
  if (name === 'alreadyReplaced') return 'replaced';
  return 'order';
}

const ERROR_PREFIX = 'urn:ietf:params:acme:error:';
/** One line of a log and of `doctor`. */
const MAX_MESSAGE = 400;
const MAX_SUBPROBLEMS = 3;
