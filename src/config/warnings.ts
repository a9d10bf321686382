// What is sound by itself, and yet can hardly be meant: what was to be filled in, and public addresses that
// nobody ends TLS for. `serve` starts with it all the same; `config check` and `doctor` tell.

import { isWithinDomain } from '../domain/host-name.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { isAtGateway } from './check-together.ts';
import { quoteValue } from './config-fault.ts';
import type { Config } from './config.ts';

export type ConfigWarning = {
  readonly kind: 'placeholder' | 'tls';
  readonly path: string;
  readonly found: string;
  readonly wanted: string;
};

export function configWarnings(config: Config): readonly ConfigWarning[] {
  return [...placeholders(config), ...unendedTls(config)];
}

function placeholders(config: Config): readonly ConfigWarning[] {
  const { gateway, oauth, control, tunnel, pki, brand } = config;
  return [
    ...exampleHost('gateway.public_url', gateway.publicUrl.domain),
    ...exampleHost('oauth.endpoint_url', oauth.endpointUrl.hostname),
    ...exampleHost('control.public_url', control.publicUrl.hostname),
    ...exampleHost('tunnel.public_url', tunnel?.publicUrl.hostname),
    ...exampleHost('pki.public_url', pki?.publicUrl.hostname),
    ...unfilled('oauth.signing_key', oauth.keys.signingKey.reveal()),
    ...unfilled('oauth.encryption_key', oauth.keys.encryptionKey.reveal()),
    ...oauth.providers.flatMap((provider, index) => ofProvider(provider, `oauth.providers[${index}]`)),
    ...exampleHost('brand.contact', contactHost(brand.contact)),
  ];
}

function ofProvider(provider: ProviderSettings, path: string): readonly ConfigWarning[] {
  const { clientId, clientSecret, issuer, baseUrl, apiUrl } = provider;
  return [
    ...exampleHost(`${path}.issuer`, hostOf(issuer)),
    ...exampleHost(`${path}.base_url`, hostOf(baseUrl)),
    ...exampleHost(`${path}.api_url`, hostOf(apiUrl)),
    ...unfilled(`${path}.client_id`, clientId, clientId),
    ...(clientSecret === null ? [] : unfilled(`${path}.client_secret`, clientSecret.reveal())),
  ];
}

function exampleHost(path: string, host: string | null | undefined): readonly ConfigWarning[] {
  if (host === null || host === undefined) return [];
  if (!EXAMPLES.some((domain) => isWithinDomain(host, domain))) return [];
  return [
    {
      kind: 'placeholder',
      path,
      found: `${quoteValue(host)}, an example name`,
      wanted: 'your own name',
    },
  ];
}

/** `shown` where it may be shown: a secret is not, though it is none. */
function unfilled(path: string, text: string, shown?: string): readonly ConfigWarning[] {
  if (!UNFILLED.test(text)) return [];
  const found = shown === undefined ? 'a placeholder' : `${quoteValue(shown)}, a placeholder`;
  return [{ kind: 'placeholder', path, found, wanted: 'your own value' }];
}

/** Whose scheme is https, though this service has no certificates for them and hears of nobody who might. */
function unendedTls({ gateway, oauth, control, tunnel }: Config): readonly ConfigWarning[] {
  if (gateway.trustedProxies.length > 0) return [];
  const ends = (url: URL, tls: boolean) => (isAtGateway(url, gateway.publicUrl) ? gateway.tls : tls);
  const of = (path: string, url: URL, tls: boolean) =>
    url.protocol === 'https:' && !ends(url, tls) ? [unended(path)] : [];
  return [
    ...(gateway.publicUrl.scheme === 'https' && !gateway.tls ? [unended('gateway.public_url')] : []),
    ...of('oauth.endpoint_url', oauth.endpointUrl, oauth.tls),
    ...of('control.public_url', control.publicUrl, control.tls),
    ...(tunnel === null ? [] : of('tunnel.public_url', tunnel.publicUrl, tunnel.tls)),
  ];
}

function unended(path: string): ConfigWarning {
  return {
    kind: 'tls',
    path,
    found: 'https, with no certificate for its listener and no trusted proxy',
    wanted: 'certificates under tls, or the proxy that terminates TLS under gateway.trusted_proxies',
  };
}

function hostOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.hostname ?? null);
}

/** Of an email address or an https address. */
function contactHost(contact: string | null): string | null {
  return contact === null ? null : (hostOf(contact) ?? null) || (contact.split('@').at(-1) ?? null);
}

/** RFC 2606. */
const EXAMPLES = ['example.com', 'example.net', 'example.org', 'example'];
/** As templates and guides write what is to be filled in. No secret that somebody made looks like it. */
const UNFILLED =
  /(?:change|replace)[-_ ]?(?:me|this)|placeholder|^your[-_ ]|^<.*>$|^\.\.\.|…|^x{3,}$|^to[-_ ]?do$|^insert[-_ ]/i;
