// The one call that this page makes: the token and the request go out, the certificate comes back.

export type Redemption =
  | {
      readonly kind: 'issued';
      /** PEM, as `chain`. */
      readonly certificate: string;
      readonly chain: string;
      /** RFC 3339. */
      readonly notAfter: string;
    }
  | Refusal
  /**
   * Nobody knows whether it arrived. The same key gets the same certificate for ten minutes, so it can be
   * sent again.
   */
  | { readonly kind: 'unheard' };

export type Refusal = {
  readonly kind: 'refused';
  readonly status: number;
  /** The problem document's stable code; empty when none came. */
  readonly code: string;
  /** Why a request is refused, as people read it; null for other refusals. */
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
};

export async function redeem(token: string, csr: string): Promise<Redemption> {
  try {
    const answer = await fetch('/v1/client-certificates/redeem', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ token, csr }),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const document = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
    if (answer.status !== 201) return refusal(answer, document);
    const { certificate, chain, notAfter } = document;
    return {
      kind: 'issued',
      certificate: String(certificate),
      chain: String(chain),
      notAfter: String(notAfter),
    };
  } catch {
    return { kind: 'unheard' };
  }
}

function refusal(answer: Response, document: Readonly<Record<string, unknown>>): Refusal {
  const { code, reason, request_id: requestId } = document;
  const wait = Number(answer.headers.get('retry-after') ?? NaN);
  return {
    kind: 'refused',
    status: answer.status,
    code: typeof code === 'string' ? code : '',
    reason: typeof reason === 'string' ? reason : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  };
}

/** Long enough for a service that is busy; who waits longer believes that nothing happens. */
const PATIENCE_MS = 30_000;
