// Limits of an account in words.

import type { LimitObject } from '../../../src/wire/settings.ts';

/** An unknown one, of a service that is newer than this page, has its own name. */
export function limitTitle(limit: string): string {
  return TITLES[limit] ?? limit;
}

/** "3 of 10,000". */
export function limitText({ used, allowed }: LimitObject): string {
  const most = allowed.toLocaleString('en');
  return used === null ? `At most ${most}` : `${used.toLocaleString('en')} of ${most}`;
}

const TITLES: Readonly<Record<string, string>> = {
  shares: 'Shares',
  hosts: 'Custom hosts',
  providers: 'Own providers',
  members: 'Members',
  apiKeys: 'API keys',
  serviceTokens: 'Service tokens',
  webhooks: 'Webhooks',
  certificateRequestTokens: 'Request tokens',
  certificates: 'Certificates',
  revokedSerials: 'Revoked serial numbers',
  writesPerMinute: 'Changes per minute',
  callsAtOnce: 'API calls at once',
  callsWaiting: 'API calls waiting',
};
