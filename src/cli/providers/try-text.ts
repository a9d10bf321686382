// What was found of a provider, as people read it.

import type { ProviderTestObject } from '../../wire/provider-test.ts';
import { checkLines, checkTally } from '../check-text.ts';
import { alignedRows } from '../columns.ts';
import { plain } from '../terminal.ts';

export function providerTestText(found: ProviderTestObject): string {
  const rows: readonly (readonly [label: string, url: string | null])[] = [
    ['redirect URL', found.redirectUrl],
    ['back-channel logout', found.backchannelLogoutUrl],
    ['after logout', found.postLogoutRedirectUrl],
  ];
  const register = rows.flatMap(([label, url]) => (url === null ? [] : [[`  ${label}`, url]]));
  return `${checkLines(found.checks)}
Register at the provider:
${alignedRows(register)}
Check at the provider itself: ${found.notSeen.join(', ')}.
`;
}

export function providerVerdict({ provider, passed, checks }: ProviderTestObject): string {
  const verdict = passed ? 'logins can work' : 'logins cannot work';
  return `${plain(provider)}: ${verdict} (${checkTally(checks)})\n`;
}
