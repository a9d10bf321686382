// The typed caller of the control API (DESIGN 2.5). Whatever the API refuses is thrown as `ServiceError` with the API's
// code; no whole or no understandable answer is `control_unreachable`.

import { connectionFault } from '../domain/connection-fault.ts';
import { FAULTS, type FaultCode, ServiceError } from '../domain/service-error.ts';
import { pathPart } from './call.ts';
import { type CertificateCalls, certificateCalls } from './certificate-calls.ts';
import type { GatewayList, GatewayObject } from './gateway-object.ts';
import { type HostCalls, hostCalls } from './host-calls.ts';
import {
  accountCalls,
  type AccountCalls,
  apiKeyCalls,
  type ApiKeyCalls,
  memberCalls,
  type MemberCalls,
} from './people-calls.ts';
import { type AuditCalls, auditCalls, type SessionCalls, sessionCalls } from './record-calls.ts';
import type { CallAnswer, Send, SentCall } from './sent-call.ts';
import type { NewProvider, ProviderChanges, ProviderObject, ProviderPage } from './provider-object.ts';
import type { ProviderTestObject } from './provider-test-object.ts';
import type { StatusObject } from './status-object.ts';
import type { NewShare, ShareChanges, ShareObject, SharePage } from './share-object.ts';
import type { ShareTest } from './share-test-object.ts';
import { type WebhookCalls, webhookCalls } from './webhook-calls.ts';

export type Client = {
  readonly status: () => Promise<StatusObject>;
  /** Those that live, whichever of them answers. */
  readonly gateways: () => Promise<readonly GatewayObject[]>;
  readonly shares: ShareCalls;
  readonly providers: ProviderCalls;
  readonly hosts: HostCalls;
  readonly account: AccountCalls;
  readonly members: MemberCalls;
  readonly apiKeys: ApiKeyCalls;
  readonly sessions: SessionCalls;
  readonly auditEvents: AuditCalls;
  readonly webhooks: WebhookCalls;
  readonly certificates: CertificateCalls;
};

export type PageWish = { readonly cursor?: string | null; readonly limit?: number };

/** `share` is a name or an id. Each throws what the API answers: `share_unknown`, `validation_failed`, `name_taken`… */
export type ShareCalls = {
  readonly create: (share: NewShare) => Promise<ShareObject>;
  readonly list: (page?: PageWish) => Promise<SharePage>;
  readonly show: (share: string) => Promise<ShareObject>;
  readonly modify: (share: string, changes: ShareChanges) => Promise<ShareObject>;
  readonly remove: (share: string) => Promise<void>;
  /** Whether an address would get in now, and why. */
  readonly test: (share: string, email: string) => Promise<ShareTest>;
};

/** Definitions of the account. Each throws what the API answers: `provider_unknown`, `provider_in_use`… */
export type ProviderCalls = {
  readonly create: (provider: NewProvider) => Promise<ProviderObject>;
  readonly list: (page?: PageWish) => Promise<ProviderPage>;
  readonly show: (name: string) => Promise<ProviderObject>;
  readonly modify: (name: string, changes: ProviderChanges) => Promise<ProviderObject>;
  readonly remove: (name: string) => Promise<void>;
  /** Calls the provider; takes up to 20 s. */
  readonly test: (name: string) => Promise<ProviderTestObject>;
};

export type ClientOptions = {
  /** `control.public_url`. */
  readonly url: URL;
  /** Null for calls that need none. */
  readonly apiKey: { readonly reveal: () => string } | null;
  /** How long each call may take; 30 s unless said. */
  readonly callLimitMs?: number | undefined;
  readonly send: Send;
};

export function createClient(options: ClientOptions): Client {
  const call = <Value>(method: string, path: string, input?: object): Promise<Value> =>
    callApi(options, { method, path, input: input ?? null }) as Promise<Value>;
  return {
    status: async () => call('GET', '/v1/status'),
    gateways: async () => (await call<GatewayList>('GET', '/v1/gateways')).items,
    shares: {
      create: async (share) => call('POST', '/v1/shares', share),
      list: async (page = {}) => call('GET', `/v1/shares?${pageQuery(page)}`),
      show: async (share) => call('GET', sharePath(share)),
      modify: async (share, changes) => call('PATCH', sharePath(share), changes),
      remove: async (share) => call('DELETE', sharePath(share)),
      test: async (share, email) => call('POST', `${sharePath(share)}/test`, { email }),
    },
    providers: {
      create: async (provider) => call('POST', '/v1/auth-providers', provider),
      list: async (page = {}) => call('GET', `/v1/auth-providers?${pageQuery(page)}`),
      show: async (name) => call('GET', providerPath(name)),
      modify: async (name, changes) => call('PATCH', providerPath(name), changes),
      remove: async (name) => call('DELETE', providerPath(name)),
      test: async (name) => call('POST', `${providerPath(name)}/test`, {}),
    },
    hosts: hostCalls(call),
    account: accountCalls(call),
    members: memberCalls(call),
    apiKeys: apiKeyCalls(call),
    sessions: sessionCalls(call),
    auditEvents: auditCalls(call),
    webhooks: webhookCalls(call),
    certificates: certificateCalls(call),
  };
}

function pageQuery({ cursor = null, limit }: PageWish): URLSearchParams {
  const query = new URLSearchParams();
  if (cursor !== null) query.set('cursor', cursor);
  if (limit !== undefined) query.set('limit', String(limit));
  return query;
}

function sharePath(share: string): string {
  return `/v1/shares/${pathPart(share, 'share_unknown')}`;
}

function providerPath(name: string): string {
  return `/v1/auth-providers/${pathPart(name, 'provider_unknown')}`;
}

type ApiCall = { readonly method: string; readonly path: string; readonly input: object | null };

async function callApi(
  { url, apiKey, callLimitMs: limitMs, send }: ClientOptions,
  { method, path, input }: ApiCall,
): Promise<unknown> {
  const answer = await sendOrExplain(send, {
    method,
    url: new URL(path, url),
    headers: {
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      accept: 'application/json',
      ...(input === null ? {} : { 'content-type': 'application/json' }),
    },
    body: input === null ? null : JSON.stringify(input),
    limitMs,
  });
  if (answer.status === 204) return undefined;
  const document = parseJson(answer);
  if (answer.status >= 200 && answer.status < 300 && document !== null) return document;
  throw refusal(url, answer, document);
}

async function sendOrExplain(send: Send, call: SentCall): Promise<CallAnswer> {
  try {
    return await send(call);
  } catch (cause) {
    const { found, hint } = connectionFault(cause);
    throw new ServiceError('control_unreachable', `Cannot reach ${call.url.origin}: ${found}`, {
      cause,
      hint:
        hint ??
        'Is "doorward serve" running, and is this the address of control.public_url? Set it with --url.',
    });
  }
}

/** The API's own fault, code, faults and all; anything else there is not the control API. */
function refusal(url: URL, answer: CallAnswer, document: Document | null): ServiceError {
  const code = document?.['code'];
  if (document === null || typeof code !== 'string' || !isFaultCode(code))
    return new ServiceError(
      'control_unreachable',
      `Cannot call ${url.origin}: it answered ${answer.status}, and not as the control API does`,
      { hint: 'Check the address: it is control.public_url of the configuration.' },
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

function parseJson(answer: CallAnswer): Document | null {
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

const STORED_HINT =
  'The change is kept. It is live as soon as the service has recovered: do not make it again.';
/** Where the API itself gives no next step. */
const HINTS: Partial<Record<FaultCode, string>> = {
  api_key_invalid: 'It may have been deleted. Log in with another: "doorward login --url URL".',
};
