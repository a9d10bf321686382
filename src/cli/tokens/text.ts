// A service token, as the command line shows it.

import type { ServiceTokenObject } from '../../wire/service-token.ts';
import { alignedRows } from '../columns.ts';
import { minuteText } from '../time-text.ts';

export function tokenText(token: ServiceTokenObject, now = Date.now()): string {
  return `${alignedRows([
    ['name', token.name],
    ...(token.start === null ? [] : [['starts with', token.start]]),
    ['shares', sharesText(token)],
    ['valid until', expiryText(token, now)],
    ['last used', lastUseText(token)],
    ['created', `${minuteText(token.createdAt)} by ${token.createdBy}`],
    ['id', token.id],
  ])}\n`;
}

export function sharesText({ shares }: Pick<ServiceTokenObject, 'shares'>): string {
  return shares.length === 0 ? 'none: its shares were deleted' : shares.join(', ');
}

export function expiryText({ expiresAt }: Pick<ServiceTokenObject, 'expiresAt'>, now: number): string {
  return Date.parse(expiresAt) > now ? minuteText(expiresAt) : `${minuteText(expiresAt)} (expired)`;
}

export function lastUseText({ lastUsedAt }: Pick<ServiceTokenObject, 'lastUsedAt'>): string {
  return lastUsedAt === null ? 'never' : minuteText(lastUsedAt);
}
