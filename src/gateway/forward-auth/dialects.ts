// How each proxy asks about a request (DESIGN "Forward-auth"): where it says what was asked for, and what it
// can do with an answer. All else is the same for all of them.

import type { CertificateForm } from './forwarded-certificate.ts';

export type Dialect = {
  /** The header with the method of the request; null where the question has that method itself. */
  readonly method: string | null;
  /** The header with its host; `host` is that of the question. */
  readonly host: string;
  /** The header with its target; null where that is the question's own path, behind the endpoint's. */
  readonly target: string | null;
  /** A header that may stand instead of host, target and scheme, with the whole address. */
  readonly url: string | null;
  /** The header with the client certificate of the connection, and how that is written. */
  readonly certificate: { readonly name: string; readonly form: CertificateForm };
  /**
   * `whole`: what does not let in is answered to the visitor as it is. `codes`: the proxy knows 200, 401 and
   * 403 alone. `refusals`: it asks, beside those codes, for the whole answer that goes with one.
   */
  readonly answers: 'whole' | 'codes' | 'refusals';
  /** Every header that it tells something by. */
  readonly told: ReadonlySet<string>;
};

export type Question = {
  readonly dialect: Dialect;
  /** What was asked for, where the question's own path says it. */
  readonly ownTarget: string | null;
};

/** Null for what no proxy asks that is known here. `target` is in origin form. */
export function questionAt(target: string): Question | null {
  if (!target.startsWith(AUTHORIZE_PREFIX)) return null;
  if (target.startsWith(ENVOY_PREFIX))
    return { dialect: ENVOY, ownTarget: target.slice(ENVOY_PREFIX.length - 1) };
  // Some proxies leave the query of the request there; it is not read.
  const [path = ''] = target.split('?', 1);
  const dialect = DIALECTS.get(path);
  return dialect === undefined ? null : { dialect, ownTarget: null };
}

function withTold(of: Omit<Dialect, 'told'>): Dialect {
  const named = [of.method, of.host, of.target, of.url].filter((name) => name !== null);
  return { ...of, told: new Set([...named, of.certificate.name, 'x-forwarded-proto', 'x-forwarded-for']) };
}

const AUTHORIZE_PREFIX = '/.svc/authorize/';
const ENVOY_PREFIX = `${AUTHORIZE_PREFIX}envoy/`;

/** `auth_request` makes a GET of everything, and of any answer but 401 and 403 an error of its own. */
const NGINX = withTold({
  method: 'x-original-method',
  host: 'host',
  target: 'x-original-uri',
  url: 'x-original-url',
  certificate: { name: 'x-ssl-client-cert', form: 'escaped-pem' },
  answers: 'codes',
});
const FORWARDED = {
  method: 'x-forwarded-method',
  host: 'x-forwarded-host',
  target: 'x-forwarded-uri',
  url: null,
  answers: 'whole',
} as const;
const FORWARDED_WITH_OURS = withTold({
  ...FORWARDED,
  certificate: { name: 'x-ssl-client-cert', form: 'base64' },
});
const ENVOY = withTold({
  method: null,
  host: 'host',
  target: null,
  url: null,
  certificate: { name: 'x-forwarded-client-cert', form: 'xfcc' },
  answers: 'whole',
});
const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  [`${AUTHORIZE_PREFIX}nginx`, NGINX],
  // What `error_page` leads to.
  [`${AUTHORIZE_PREFIX}nginx/answer`, { ...NGINX, answers: 'refusals' } as const],
  [
    `${AUTHORIZE_PREFIX}traefik`,
    withTold({ ...FORWARDED, certificate: { name: 'x-forwarded-tls-client-cert', form: 'base64' } }),
  ],
  [`${AUTHORIZE_PREFIX}caddy`, FORWARDED_WITH_OURS],
  [`${AUTHORIZE_PREFIX}haproxy`, FORWARDED_WITH_OURS],
]);
