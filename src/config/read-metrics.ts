// The section `metrics`: its listener, and of which shares it tells one by one.

import { isLoopbackName } from '../domain/host-name.ts';
import { isShareName } from '../domain/share-name.ts';
import type { MetricsConfig, ShownShares } from './config.ts';
import { readListener } from './read-listener.ts';
import { complete, readList, readOptional, Refusal, type Section } from './section.ts';

/**
 * Whoever asks on this machine asks plainly: certificates are of the public hosts, and no name of theirs
 * leads to loopback.
 */
export function readMetrics(section: Section, hasCertificates: boolean): MetricsConfig | undefined {
  const listener = readListener(section, hasCertificates);
  const shares = readShares(section);
  if (listener === undefined || shares === undefined) return undefined;
  return { ...listener, tls: listener.tls && !isLoopbackName(listener.bindAddress.host), shares };
}

function readShares(section: Section): ShownShares | undefined {
  if (Array.isArray(section.entries.get('shares'))) {
    const names = readList(section, 'shares', { parse: shareNameText, absent: [] });
    return names === undefined ? undefined : { kind: 'listed', names };
  }
  return complete({
    shares: readOptional(section, 'shares', { parse: shownText, absent: { kind: 'none' } as const }),
  })?.shares;
}

function shownText(text: string): ShownShares | Refusal {
  if (text === 'none') return { kind: 'none' };
  const [, digits = ''] = /^top ([1-9]\d?)$/.exec(text) ?? [];
  const count = Number(digits);
  return count >= 1 && count <= MOST_TOP
    ? { kind: 'top', count }
    : new Refusal(`none, top 1 to top ${MOST_TOP}, or a list of share names`);
}

function shareNameText(text: string): string | Refusal {
  return isShareName(text) ? text : new Refusal('the name of a share');
}

/** Of each account. A share is 25 series. */
const MOST_TOP = 50;
