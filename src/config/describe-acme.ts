// What every key of the section `acme` is: the certificates that come by themselves.

import type { Fields } from './describe.ts';

export const ACME_FIELDS = {
  email: {
    type: 'email address',
    absent: 'required',
    meaning: 'The contact for the certificate authority.',
  },
  agree_to_terms: {
    type: '`true`',
    absent: 'required',
    meaning: 'Confirms that you agree to the terms of service of the certificate authority.',
  },
  directory: {
    type: 'https URL',
    absent: { default: 'https://acme-v02.api.letsencrypt.org/directory' },
    meaning:
      "The ACME server of the certificate authority. Default: Let's Encrypt. Its staging server is `https://acme-staging-v02.api.letsencrypt.org/directory`.",
  },
  ca_file: {
    type: 'path',
    absent: { means: 'the public CAs' },
    meaning: 'PEM certificates of the CAs that issued the certificate of the ACME server.',
  },
  http_bind_address: {
    type: 'ip:port',
    absent: { means: 'no such listener: hosts are verified over TLS (TLS-ALPN-01)' },
    meaning:
      'The listener for plain HTTP, `0.0.0.0:80`. It only answers challenges (HTTP-01) and redirects hosts of this gateway to https. Must be reachable from the internet at port 80.',
  },
  eab: {
    type: 'section',
    absent: { means: 'the ACME server registers anybody' },
    meaning:
      'External account binding: what ties the ACME account to your account at the certificate authority, if it asks for that. Used once, when the ACME account is registered.',
  },
  dns: {
    type: 'section',
    absent: { means: 'no wildcard certificate: each share gets its own when it is first visited' },
    meaning: 'How DNS records of the share domain are changed (DNS-01), to get a wildcard certificate.',
  },
} as const satisfies Fields;

export const EAB_FIELDS = {
  kid: {
    type: 'text',
    absent: 'required',
    meaning: 'The key identifier that the certificate authority gave you.',
  },
  hmac_key: {
    type: 'base64url',
    absent: 'required',
    secret: true,
    meaning: 'The HMAC key that came with it.',
  },
} as const satisfies Fields;

const DNS_FIELDS = {
  provider: {
    type: '`rfc2136`, `cloudflare` or `hook`',
    absent: 'required',
    meaning: 'How records are changed: with dynamic updates, at Cloudflare, or with your own program.',
  },
  wait: {
    type: 'duration',
    absent: { default: '10s' },
    meaning: 'How long a change takes to reach all name servers of the zone.',
  },
} as const satisfies Fields;

export const DNS_PROVIDER_FIELDS = {
  rfc2136: {
    ...DNS_FIELDS,
    server: {
      type: 'host:port',
      absent: 'required',
      meaning: 'The name server that accepts dynamic updates (RFC 2136), over TCP: `ns1.example.com:53`.',
    },
    zone: { type: 'domain', absent: 'required', meaning: 'The zone that the share domain is in.' },
    key_name: { type: 'text', absent: 'required', meaning: 'Name of the TSIG key.' },
    key_algorithm: {
      type: '`hmac-sha256`, `hmac-sha384` or `hmac-sha512`',
      absent: { default: 'hmac-sha256' },
      meaning: 'Algorithm of the TSIG key.',
    },
    key_secret: { type: 'base64', absent: 'required', secret: true, meaning: 'The TSIG key.' },
  },
  cloudflare: {
    ...DNS_FIELDS,
    zone: { type: 'domain', absent: 'required', meaning: 'The zone that the share domain is in.' },
    api_token: {
      type: 'text',
      absent: 'required',
      secret: true,
      meaning: 'A token that can read the zone and edit its DNS.',
    },
  },
  hook: {
    ...DNS_FIELDS,
    command: {
      type: 'list of texts',
      absent: 'required',
      meaning:
        'A program, by its absolute path, and its first arguments. It gets `add` or `remove`, the name of a TXT record and its value as further arguments, and must exit with 0 when done.',
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;
