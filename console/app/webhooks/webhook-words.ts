// Webhooks in words.

import type { WebhookObject } from '../../../src/wire/webhook.ts';
import type { Tone } from '../parts/badge.tsx';
import { kindText } from '../parts/audit-text.ts';

/** Its name, or the host that it leads to. */
export function titleOf({ name, url }: Pick<WebhookObject, 'name' | 'url'>): string {
  return name ?? URL.parse(url)?.host ?? url;
}

export function toldText({ kinds }: Pick<WebhookObject, 'kinds'>): string {
  const [first, ...others] = kinds;
  if (first === undefined) return 'everything';
  const { title } = kindText(first);
  return others.length === 0 ? title : `${title} and ${others.length} more`;
}

export function stateOf({ enabled, failingSince }: Pick<WebhookObject, 'enabled' | 'failingSince'>): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (!enabled) return { tone: 'neutral', word: 'off' };
  return failingSince === null ? { tone: 'good', word: 'on' } : { tone: 'bad', word: 'failing' };
}
