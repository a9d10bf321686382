// The letters that go to an area after a G, and what else one key does.

import { keepText, keptText } from '../parts/kept.ts';

/** By the area's name. */
export const AREA_KEYS: Readonly<Record<string, string>> = {
  overview: 'o',
  shares: 's',
  sessions: 'n',
  certificates: 'c',
  providers: 'p',
  people: 'u',
  webhooks: 'w',
  audit: 'a',
  settings: 'e',
  operator: 'r',
  apps: 'y',
  me: 'm',
};

/** Whether this browser takes single keys: voices and switches that type may press them by accident. */
export function takesKeys(): boolean {
  return keptText(KEPT) !== 'off';
}

export function keepTakesKeys(takes: boolean): void {
  keepText(KEPT, takes ? 'on' : 'off');
}

const KEPT = 'doorward-keys';
