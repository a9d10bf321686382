// Proxies that ask the gateway about each request, as strict as the strictest of them: each sends what its
// documented configuration sends, and takes an answer as the real one does. The real ones are in
// test/e2e/forward-auth-*.test.ts.

import { callGate, type TestAnswer, type TestCall } from './gate.ts';
import { namesOf } from '../../src/gateway/forward-auth/every-identity.ts';

export const PROXIES = ['nginx', 'traefik', 'caddy', 'envoy', 'haproxy'] as const;
export type ProxyName = (typeof PROXIES)[number];

export const PROXY_SECRET = 'a secret of proxies, in tests alone, 1'.replaceAll(' ', '-');

export type Visitor = {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly scheme?: string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** As the proxy's documented header has it. */
  readonly certificate?: string;
};

export type Asking = {
  readonly port: number;
  readonly secret?: string | null;
  /** Over what the proxy sets itself. */
  readonly more?: Readonly<Record<string, string | readonly string[]>>;
};

/** What becomes of a request: it goes on to the app with those headers, or the visitor gets that answer. */
export type Outcome =
  | { readonly kind: 'in'; readonly identity: Readonly<Record<string, string>>; readonly answer: TestAnswer }
  | { readonly kind: 'answered'; readonly answer: TestAnswer; readonly codes: TestAnswer | null };

/** The question alone. */
export function ask(proxy: ProxyName, visitor: Visitor, asking: Asking): Promise<TestAnswer> {
  return callGate(asking.port, questionOf(proxy, visitor, asking));
}

/** The question, and what the proxy does with the answer. */
export async function through(proxy: ProxyName, visitor: Visitor, asking: Asking): Promise<Outcome> {
  const answer = await ask(proxy, visitor, asking);
  if (answer.status >= 200 && answer.status < 300) {
    const identity = Object.fromEntries(
      namesOf('svc-auth-').map((name) => [name, String(answer.headers[name] ?? 'ABSENT')]),
    );
    return { kind: 'in', identity, answer };
  }
  if (proxy !== 'nginx') return { kind: 'answered', answer, codes: null };
  // `auth_request` takes anything else for an error of its own.
  if (answer.status !== 401 && answer.status !== 403)
    return { kind: 'answered', answer: { ...answer, status: 500, body: '' }, codes: answer };
  const call = questionOf(proxy, visitor, asking);
  const whole = await callGate(asking.port, { ...call, path: '/.svc/authorize/nginx/answer' });
  return { kind: 'answered', answer: whole, codes: answer };
}

function questionOf(
  proxy: ProxyName,
  visitor: Visitor,
  { secret = PROXY_SECRET, more = {} }: Asking,
): TestCall {
  const { host, path = '/', method = 'GET', scheme = 'https', address = '198.51.100.7' } = visitor;
  const common = {
    ...visitor.headers,
    'x-forwarded-proto': scheme,
    'x-forwarded-for': address,
    ...(secret === null ? {} : { 'svc-auth-secret': secret }),
    ...(visitor.certificate === undefined ? {} : { [CERTIFICATE_HEADERS[proxy]]: visitor.certificate }),
  };
  if (proxy === 'nginx')
    return {
      host,
      path: '/.svc/authorize/nginx',
      headers: { ...common, 'x-original-method': method, 'x-original-uri': path, ...more },
    };
  if (proxy === 'envoy')
    return {
      host,
      method,
      path: `/.svc/authorize/envoy${path}`,
      headers: { ...common, 'content-length': '0', ...more },
    };
  const told = { 'x-forwarded-method': method, 'x-forwarded-host': host, 'x-forwarded-uri': path };
  return {
    host: proxy === 'caddy' ? host : 'doorward.internal:8080',
    path: `/.svc/authorize/${proxy}`,
    headers: { ...common, ...told, ...more },
  };
}

export const CERTIFICATE_HEADERS: Readonly<Record<ProxyName, string>> = {
  nginx: 'x-ssl-client-cert',
  traefik: 'x-forwarded-tls-client-cert',
  caddy: 'x-ssl-client-cert',
  envoy: 'x-forwarded-client-cert',
  haproxy: 'x-ssl-client-cert',
};

/** A top-level page load, as Chromium says it. */
export const PAGE_LOAD = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
} as const;
/** What a page of the share fetches. */
export const OWN_FETCH = {
  accept: '*/*',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
} as const;
