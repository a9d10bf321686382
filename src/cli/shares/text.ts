// Shares as people read them.

import type { ShareObject } from '../../wire/share.ts';
import { alignedRows, tableText } from '../columns.ts';
import { plain, type Terminal } from '../terminal.ts';

/** The address first, alone on its line, so that it can be cut out or clicked. */
export function shareText(share: ShareObject): string {
  return `${plain(share.url)}\n\n${alignedRows([
    ['name', share.name],
    ...(share.hosts.length < 2 ? [] : [['also at', share.hosts.slice(1).join(', ')]]),
    ['target', targetText(share)],
    ['login', loginText(share)],
    ...(share.oauthProvider === null
      ? []
      : [
          ['allowed', share.oauthEmailAddressPatterns.join(', ') || 'any address'],
          ['checked', `every ${share.oauthCheckInterval ?? ''}`],
        ]),
    ...certificateRows(share),
    ...(share.allowOrigins.length === 0 ? [] : [['other sites', share.allowOrigins.join(', ')]]),
    ['state', stateText(share)],
    ['id', share.id],
  ])}`;
}

export function shareTable(shares: readonly ShareObject[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['NAME', 'URL', 'TARGET', 'LOGIN', 'STATE'],
      ...shares.map((share) => [
        share.name,
        share.url,
        targetText(share),
        loginText(share),
        stateText(share),
      ]),
    ],
    terminal,
  );
}

function targetText({ target, tunnel }: ShareObject): string {
  return target ?? (tunnel === 'reserved' ? 'served by agents' : 'served by an agent, while it runs');
}

export function loginText({ oauthProvider, clientCertificate, access }: ShareObject): string {
  if (clientCertificate === null) return oauthProvider ?? 'none: open to everyone';
  if (oauthProvider === null) return 'certificate';
  return `${oauthProvider} ${access === 'either' ? 'or' : 'and'} certificate`;
}

export function certificateRows({ clientCertificate }: ShareObject): readonly (readonly [string, string])[] {
  if (clientCertificate === null) return [];
  const { subject, unit } = clientCertificate;
  const asked = [
    ...(subject === null ? [] : [`named ${subject}`]),
    ...(unit === null ? [] : [`of unit ${unit}`]),
  ];
  return [['certificate', asked.join(', ') || 'any of the account']];
}

function stateText(share: ShareObject): string {
  return share.enabled ? 'enabled' : 'disabled';
}
