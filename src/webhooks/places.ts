// How many deliveries are under way at once: of a webhook, of an account, in all. One that stalls leaves room
// for others.

import type { AccountId, WebhookId } from '../domain/id.ts';

export function createPlaces() {
  const taken = new Map<string, number>();
  let all = 0;
  const count = (of: string): number => taken.get(of) ?? 0;
  const change = (of: string, by: number): void => {
    const next = count(of) + by;
    if (next === 0) taken.delete(of);
    else taken.set(of, next);
  };
  return {
    /** How many more may begin. */
    free: (webhookId: WebhookId, accountId: AccountId): number =>
      Math.max(0, Math.min(OF_WEBHOOK - count(webhookId), OF_ACCOUNT - count(accountId), IN_ALL - all)),
    /** Answers how to give the place back. */
    take: (webhookId: WebhookId, accountId: AccountId): (() => void) => {
      const step = (by: number): void => {
        change(webhookId, by);
        change(accountId, by);
        all += by;
      };
      step(1);
      return () => step(-1);
    },
  };
}

const OF_WEBHOOK = 4;
/** DESIGN "Calls out". */
const OF_ACCOUNT = 16;
const IN_ALL = 128;
