// The section `acme`: which certificate authority, and how it is shown whose hosts these are.

import { isAbsolute } from 'node:path';
import { parsePort } from '../domain/address-list.ts';
import { parseEmailAddress } from '../domain/email-address.ts';
import { isLoopbackName, normaliseHost } from '../domain/host-name.ts';
import { bindAddressText } from './address-text.ts';
import type { AcmeConfig, DnsConfig, ExternalAccount } from './config.ts';
import { keysOf } from './describe.ts';
import { ACME_FIELDS, DNS_PROVIDER_FIELDS, EAB_FIELDS } from './describe-acme.ts';
import {
  complete,
  durationText,
  fault,
  openSection,
  readList,
  readOptional,
  readSecret,
  readText,
  Refusal,
  resolvePath,
  type ReadContext,
  type Section,
} from './section.ts';

export function readAcme(section: Section): AcmeConfig | undefined {
  const agreed = section.entries.get('agree_to_terms') === true;
  if (!agreed)
    fault(section, 'agree_to_terms', {
      found: section.entries.has('agree_to_terms') ? 'something else' : 'nothing',
      wanted: 'true: the certificate authority asks for it',
    });
  const read = complete({
    email: readText(section, 'email', emailText),
    directory: readOptional(section, 'directory', {
      parse: directoryText,
      absent: ACME_FIELDS.directory.absent.default,
    }),
    trustedAuthorities: readOptional(section, 'ca_file', {
      parse: authoritiesText(section.context),
      absent: null,
    }),
    httpBindAddress: readOptional(section, 'http_bind_address', { parse: bindAddressText, absent: null }),
    externalAccount: section.entries.has('eab') ? readExternalAccount(section) : null,
    dns: section.entries.has('dns') ? readDns(section) : null,
  });
  return agreed ? read : undefined;
}

function readExternalAccount(acme: Section): ExternalAccount | undefined {
  const section = openSection(acme.context, {
    path: 'acme.eab',
    tree: acme.entries.get('eab'),
    known: keysOf(EAB_FIELDS),
  });
  if (section === undefined) return undefined;
  const hmacKey = readSecret(section, 'hmac_key', LEAST_KEY_CHARACTERS);
  if (hmacKey !== undefined && !BASE64URL.test(hmacKey.reveal()))
    fault(section, section.entries.has('hmac_key') ? 'hmac_key' : 'hmac_key_file', {
      found: 'other characters',
      wanted: 'the key as base64url, as the certificate authority shows it',
    });
  return complete({ kid: readText(section, 'kid', kidText), hmacKey });
}

function kidText(text: string): string | Refusal {
  return /^[\x21-\x7e]+$/.test(text) ? text : new Refusal('the key identifier, without spaces');
}

type DnsProvider = keyof typeof DNS_PROVIDER_FIELDS;

function readDns(acme: Section): DnsConfig | undefined {
  const tree = acme.entries.get('dns');
  const named = tree instanceof Map ? tree.get('provider') : undefined;
  const provider = DNS_PROVIDERS.find((each) => each === named);
  const known = keysOf(provider === undefined ? ALL_DNS_FIELDS : DNS_PROVIDER_FIELDS[provider]);
  const section = openSection(acme.context, { path: 'acme.dns', tree, known });
  if (section === undefined) return undefined;
  const waitMs = readOptional(section, 'wait', { parse: durationText, absent: DEFAULT_WAIT_MS });
  readText(section, 'provider', (text) =>
    DNS_PROVIDERS.some((each) => each === text) ? text : new Refusal(`one of ${DNS_PROVIDERS.join(', ')}`),
  );
  const way = provider === undefined ? undefined : readWay(section, provider);
  return waitMs === undefined || way === undefined ? undefined : { waitMs, ...way };
}

function readWay(section: Section, provider: DnsProvider): DnsWay | undefined {
  if (provider === 'hook') return complete({ provider, command: readCommand(section) });
  const zone = readText(section, 'zone', domainText);
  if (provider === 'cloudflare')
    return complete({ provider, zone, apiToken: readSecret(section, 'api_token', 1) });
  return complete({
    provider,
    zone,
    server: readText(section, 'server', serverText),
    keyName: readText(section, 'key_name', domainText),
    algorithm: readOptional(section, 'key_algorithm', {
      parse: algorithmText,
      absent: 'hmac-sha256' as const,
    }),
    keySecret: readSecret(section, 'key_secret', LEAST_KEY_CHARACTERS),
  });
}

type DnsWay = DnsConfig extends infer Each ? (Each extends DnsConfig ? Omit<Each, 'waitMs'> : never) : never;

function readCommand(section: Section): readonly string[] | undefined {
  const command = readList(section, 'command', { parse: (text) => text, absent: undefined });
  const [program] = command ?? [];
  if (command === undefined || (program !== undefined && isAbsolute(program))) return command;
  return fault(section, 'command', {
    found: program === undefined ? 'an empty list' : 'a relative path',
    wanted: 'the absolute path of a program, and its first arguments',
  });
}

function emailText(text: string): string | Refusal {
  const fit = parseEmailAddress(text) !== null && /^[\x21-\x7e]+$/.test(text) && !/[,?]/.test(text);
  return fit ? text : new Refusal('an email address');
}

function directoryText(text: string): string | Refusal {
  const url = URL.parse(text);
  const fit = url !== null && url.username === '' && url.hash === '';
  if (fit && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))))
    return url.href;
  return new Refusal('the https address of an ACME directory');
}

function authoritiesText(context: ReadContext): (text: string) => string | Refusal {
  return (text) => {
    const wanted = new Refusal('a readable file with PEM certificates', `the file "${text}"`);
    try {
      const pem = Buffer.from(context.readFile(resolvePath(context, text))).toString('latin1');
      return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : wanted;
    } catch {
      return wanted;
    }
  };
}

function domainText(text: string): string | Refusal {
  const name = normaliseHost(text);
  return name !== null && DOMAIN.test(name) ? name : new Refusal('a domain such as example.com');
}

function serverText(text: string): { readonly host: string; readonly port: number } | Refusal {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/.exec(text);
  const port = parsePort(parts?.[3] ?? '');
  const host = normaliseHost(parts?.[1] === undefined ? (parts?.[2] ?? '') : `[${parts[1]}]`);
  if (port === undefined || host === null)
    return new Refusal('a host and a port, such as ns1.example.com:53');
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

function algorithmText(text: string): Algorithm | Refusal {
  return ALGORITHMS.find((each) => each === text) ?? new Refusal(`one of ${ALGORITHMS.join(', ')}`);
}

type Algorithm = (typeof ALGORITHMS)[number];
const ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
const DNS_PROVIDERS = ['rfc2136', 'cloudflare', 'hook'] as const satisfies readonly DnsProvider[];
const ALL_DNS_FIELDS = {
  ...DNS_PROVIDER_FIELDS.rfc2136,
  ...DNS_PROVIDER_FIELDS.cloudflare,
  ...DNS_PROVIDER_FIELDS.hook,
};
/** Labels of a DNS name; key names have underscores now and then. */
const DOMAIN = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
/** Some authorities pad it, or show it as base64. */
const BASE64URL = /^[A-Za-z0-9_+/-]+={0,2}$/;
const DEFAULT_WAIT_MS = 10_000;
/** 128 bits as base64. */
const LEAST_KEY_CHARACTERS = 22;
