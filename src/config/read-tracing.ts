// The section `tracing`: where spans are sent, and of which requests.

import { Secret } from '../domain/secret.ts';
import type { TracingConfig } from './config.ts';
import { complete, fault, readList, readOptional, readText, Refusal, type Section } from './section.ts';

export function readTracing(section: Section): TracingConfig | undefined {
  return complete({
    otlpEndpoint: readText(section, 'otlp_endpoint', endpointText),
    headers: readList(section, 'headers', { parse: headerText, absent: [] }),
    sampleRatio: readRatio(section),
    serviceName: readOptional(section, 'service_name', { parse: nameText, absent: 'doorward' }),
    trustIncoming: readOptional(section, 'trust_incoming', {
      parse: trustText,
      absent: 'proxies' as const,
    }),
  });
}

function endpointText(text: string): URL | Refusal {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return new Refusal('an http or https URL, such as http://127.0.0.1:4318', 'no such URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return new Refusal('a URL without user, query or fragment; keys belong into headers', 'more than that');
  // The path of traces below it, whether it ends with a slash or not.
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

/** What stands there is not said again: it may be a key. */
function headerText(text: string): readonly [string, Secret] | Refusal {
  const [, name, value] =
    /^([A-Za-z0-9-]{1,64}): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(text) ?? [];
  if (name === undefined || value === undefined || OURS.test(name))
    return new Refusal('a header, such as "authorization: Bearer …"', 'something else');
  return [name.toLowerCase(), new Secret(value)];
}

function readRatio(section: Section): number | undefined {
  const tree = section.entries.has('sample_ratio') ? section.entries.get('sample_ratio') : 1;
  if (typeof tree === 'number' && tree >= 0 && tree <= 1) return tree;
  return fault(section, 'sample_ratio', { found: 'something else', wanted: 'a number from 0 to 1' });
}

function nameText(text: string): string | Refusal {
  return /^[\w.-]{1,64}$/.test(text) ? text : new Refusal('a name of letters, digits, dots and hyphens');
}

function trustText(text: string): TracingConfig['trustIncoming'] | Refusal {
  return TRUST.find((each) => each === text) ?? new Refusal(`one of ${TRUST.join(', ')}`);
}

const TRUST = ['proxies', 'all', 'none'] as const;
/** What the request itself says. */
const OURS = /^(?:host|content-(?:type|length|encoding)|transfer-encoding|connection)$/i;
