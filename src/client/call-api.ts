// How the client calls the control API: one call sent, its answer judged. Whatever the API refuses is thrown
// as `ServiceError` with the API's code; no whole or no understandable answer is `control_unreachable`.

import { connectionFault } from '../domain/connection-fault.ts';
import { FAULTS, type FaultCode, ServiceError } from '../domain/service-error.ts';
import type { Call, Condition } from './call.ts';
import type { CallAnswer, Open, Send, SentCall } from './sent-call.ts';

export type ClientOptions = {
  /** `control.public_url`. */
  readonly url: URL;
  /** Null for calls that need none. */
  readonly apiKey: { readonly reveal: () => string } | null;
  /** How long each call may take; 30 s unless said. */
  readonly callLimitMs?: number | undefined;
  readonly send: Send;
  readonly open: Open;
};

type How = Condition & { readonly signal?: AbortSignal | undefined };

export function callOf(options: ClientOptions, how: How = {}): Call {
  const ask = (method: string, path: string, input?: object) =>
    callApi(options, {
      method,
      path,
      input: input ?? null,
      ifMatch: how.ifMatch ?? null,
      signal: how.signal,
    });
  const call = async <Value>(method: string, path: string, input?: object) =>
    (await ask(method, path, input)).value as Value;
  return Object.assign(call, {
    read: async <Value>(path: string) => {
      const { value, etag } = await ask('GET', path);
      if (etag === null)
        throw new ServiceError(
          'control_unreachable',
          `Cannot read ${path}: ${options.url.origin} answered without an ETag`,
          { hint: 'A proxy on the way may remove it. Without it, nothing can be changed safely.' },
        );
      return { value: value as Value, etag: strongTag(etag) };
    },
    onlyIf: (wanted: Condition) => callOf(options, { ...how, ...wanted }),
    until: (signal: AbortSignal | undefined) => callOf(options, { ...how, signal }),
  });
}

type ApiCall = {
  readonly method: string;
  readonly path: string;
  readonly input: object | null;
  readonly ifMatch: string | null;
  readonly signal: AbortSignal | undefined;
};

type ApiAnswer = { readonly value: unknown; readonly etag: string | null };

async function callApi(
  { url, apiKey, callLimitMs: limitMs, send }: ClientOptions,
  { method, path, input, ifMatch, signal }: ApiCall,
): Promise<ApiAnswer> {
  const answer = await sendOrExplain(send, {
    method,
    url: new URL(path, url),
    headers: {
      ...credential(apiKey),
      accept: 'application/json',
      // Whoever calls with a browser's session says so of each change, of one without a body, too.
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
    },
    body: input === null ? null : JSON.stringify(input),
    limitMs,
    signal,
  });
  if (answer.status === 204) return { value: undefined, etag: null };
  const document = parseJson(answer);
  if (answer.status >= 200 && answer.status < 300 && document !== null)
    return { value: document, etag: answer.etag };
  throw refusal(url, answer, document);
}

/**
 * A proxy that compresses weakens a tag on its way (RFC 9110 section 8.8.3.3); the version that it names is
 * the same.
 */
function strongTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** The bytes of an answer without end. */
export async function openApi(
  { url, apiKey, open }: ClientOptions,
  path: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const call: SentCall = {
    method: 'GET',
    url: new URL(path, url),
    headers: { ...credential(apiKey), accept: 'text/event-stream, application/problem+json' },
    body: null,
  };
  const answer = await sendOrExplain((given) => open(given, signal), call);
  if (answer.status === 200 && /^text\/event-stream\b/.test(answer.contentType)) return answer.body;
  const whole = { ...answer, body: await problemText(answer.body) };
  throw refusal(url, whole, parseJson(whole));
}

async function problemText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PROBLEM) break;
  }
  return text;
}

function credential(apiKey: ClientOptions['apiKey']): SentCall['headers'] {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` };
}

/** Throws `control_unreachable` for no whole answer. */
export async function sendOrExplain<Answer>(
  send: (call: SentCall) => Promise<Answer>,
  call: SentCall,
): Promise<Answer> {
  try {
    return await send(call);
  } catch (cause) {
    // What is wrong here rather than there, such as a proxy that cannot be read, or nobody wants it any more.
    if (cause instanceof ServiceError || call.signal?.aborted === true) throw cause;
    const { found, hint, extra } = connectionFault(cause);
    throw new ServiceError('control_unreachable', `Cannot reach ${call.url.origin}: ${found}`, {
      cause,
      extra,
      hint:
        hint ??
        'Is "doorward serve" running, and is this the address of control.public_url? Set it with --url.',
    });
  }
}

/** The API's own fault, code, faults and all; anything else there is not the control API. */
export function refusal(url: URL, answer: CallAnswer, document: Document | null): ServiceError {
  const code = document?.['code'];
  if (document === null || typeof code !== 'string' || !isFaultCode(code))
    return new ServiceError(
      'control_unreachable',
      `Cannot call ${url.origin}: it returned ${answer.status}, and is not the control API`,
      { hint: 'Check the URL. It is control.public_url in the configuration.' },
    );
  const { title, status, detail, hint, ...extra } = document;
  const message = [detail, title, status].find((text) => typeof text === 'string') ?? code;
  const nextStep = document['stored'] === true ? STORED_HINT : (hint ?? HINTS[code]);
  return new ServiceError(code, message, {
    extra,
    ...(typeof nextStep === 'string' ? { hint: nextStep } : {}),
  });
}

type Document = Readonly<Record<string, unknown>>;

export function parseJson(answer: CallAnswer): Document | null {
  if (!/^application\/(?:problem\+)?json\b/.test(answer.contentType)) return null;
  try {
    const value: unknown = JSON.parse(answer.body);
    return typeof value === 'object' && value !== null ? (value as Document) : null;
  } catch {
    return null;
  }
}

function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}

/** No problem document comes near. */
const MAX_PROBLEM = 64 * 1024;
const STORED_HINT = 'The change is stored and becomes live when the service has recovered. Do not repeat it.';
/** Where the API itself gives no next step. */
const HINTS: Partial<Record<FaultCode, string>> = {
  api_key_invalid: 'It may have been deleted. Log in with another: "doorward login --url URL".',
};
