// What every key of the section `acme` is: the certificates that come by themselves.

import type { Fields } from './describe.ts';

export const ACME_FIELDS = {
  email: {
    type: 'email address',
    absent: 'required',
    meaning: 'Whom the certificate authority writes to.',
  },
  agree_to_terms: {
    type: '`true`',
    absent: 'required',
    meaning: 'That you agree to the terms of service of the certificate authority.',
  },
  directory: {
    type: 'https URL',
    absent: { default: 'https://acme-v02.api.letsencrypt.org/directory' },
    meaning:
      "The ACME server of the certificate authority; Let's Encrypt unless said. Its staging server is `https://acme-staging-v02.api.letsencrypt.org/directory`.",
  },
  ca_file: {
    type: 'path',
    absent: { means: 'the public authorities' },
    meaning: 'PEM certificates of the authorities that vouch for the ACME server itself.',
  },
  http_bind_address: {
    type: 'ip:port',
    absent: { means: 'no such listener: hosts are proved over TLS (TLS-ALPN-01)' },
    meaning:
      'Where plain HTTP is served, `0.0.0.0:80`: it answers challenges (HTTP-01), redirects hosts of this gateway to https, and serves nothing else. Must be reached from outside at port 80.',
  },
  dns: {
    type: 'section',
    absent: { means: 'no wildcard certificate: each share gets its own when it is first visited' },
    meaning: 'Who changes DNS records of the share domain (DNS-01), so that it gets a wildcard certificate.',
  },
} as const satisfies Fields;

const DNS_FIELDS = {
  provider: {
    type: '`rfc2136`, `cloudflare` or `hook`',
    absent: 'required',
    meaning: 'How records are changed: by dynamic updates, at Cloudflare, or by a program of yours.',
  },
  wait: {
    type: 'duration',
    absent: { default: '10s' },
    meaning: 'How long after a change all name servers of the zone show it.',
  },
} as const satisfies Fields;

export const DNS_PROVIDER_FIELDS = {
  rfc2136: {
    ...DNS_FIELDS,
    server: {
      type: 'host:port',
      absent: 'required',
      meaning: 'The name server that takes dynamic updates (RFC 2136), over TCP: `ns1.example.com:53`.',
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
      meaning: 'A token that may read the zone and edit its DNS.',
    },
  },
  hook: {
    ...DNS_FIELDS,
    command: {
      type: 'list of texts',
      absent: 'required',
      meaning:
        'A program, by its absolute path, and its first arguments. It gets `add` or `remove`, the name of a TXT record and its value as further arguments, and ends with 0 once that is done.',
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;
