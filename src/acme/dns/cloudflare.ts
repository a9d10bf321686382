// DNS records by the API of Cloudflare, with a token that may edit the DNS of the zone.

import type { Secret } from '../../domain/secret.ts';
import type { OutboundFetch } from '../../providers/dialler.ts';
import { textIn } from '../connection.ts';
import type { DnsRecords, TxtRecord } from './dns-records.ts';

export type CloudflareZone = {
  readonly zone: string;
  readonly apiToken: Secret;
  /** `https://api.cloudflare.com/client/v4`; another one in front of it, or that speaks like it. */
  readonly apiUrl: string;
};

export function cloudflareRecords(
  { zone, apiToken, apiUrl }: CloudflareZone,
  fetch: OutboundFetch,
): DnsRecords {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiToken.reveal()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return resultOf(answer);
    throw new Error(`Cannot call Cloudflare: it answered ${response.status} ${messageOf(answer)}`.trim());
  };
  const zoneId = async (): Promise<string> => {
    const [found] = idsOf(await call('GET', `/zones?name=${encodeURIComponent(zone)}`));
    if (found === undefined) throw new Error(`Cannot find zone ${zone}: Cloudflare shows none to this token`);
    return found;
  };
  const recordsOf = async (id: string, { name, value }: TxtRecord): Promise<readonly string[]> => {
    const found = await call('GET', `/zones/${id}/dns_records?type=TXT&name=${encodeURIComponent(name)}`);
    return idsOf(
      Array.isArray(found) ? found.filter((each) => unquoted(textIn(each, 'content')) === value) : [],
    );
  };
  return {
    async add(record) {
      const id = await zoneId();
      // It refuses a record that is there already.
      if ((await recordsOf(id, record)).length > 0) return;
      const { name, value } = record;
      await call('POST', `/zones/${id}/dns_records`, { type: 'TXT', name, content: `"${value}"`, ttl: 60 });
    },
    async remove(record) {
      const id = await zoneId();
      for (const each of await recordsOf(id, record))
        await call('DELETE', `/zones/${id}/dns_records/${each}`);
    },
  };
}

export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4';

function resultOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : null;
}

/** Ids go into paths. */
function idsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list
    .map((each) => textIn(each, 'id'))
    .filter((id): id is string => /^[A-Za-z0-9]{1,64}$/.test(id ?? ''));
}

function messageOf(answer: unknown): string {
  const errors = typeof answer === 'object' && answer !== null && 'errors' in answer ? answer.errors : [];
  return Array.isArray(errors) ? (textIn(errors[0], 'message') ?? '') : '';
}

function unquoted(content: string | null): string {
  return (content ?? '').replaceAll('"', '');
}
