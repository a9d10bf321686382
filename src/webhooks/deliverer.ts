// Delivers what is due, on every gateway: takes leases, tries, and says how it went. At least once: a gateway
// that dies in between leaves a lease that runs out.
//
//   tick ──▶ due webhooks ──▶ lease a few of each ──▶ deliver ──2xx──▶ gone
//    ▲ every second, and when a full lease is done        └── else ──▶ later, given up, or the webhook is switched off

import { type AuditEvent, auditEvent } from '../domain/audit-event.ts';
import { untilBeat } from '../domain/beat.ts';
import type { AccountId, WebhookId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { Dialler } from '../providers/dialler.ts';
import type { Store } from '../store/store.ts';
import type { LeasedDeliveries, LeasedDelivery } from '../store/webhooks/webhook.ts';
import { retryAfterMs } from './backoff.ts';
import { deliver, payloadOf } from './deliver.ts';
import { createPlaces } from './places.ts';

export type DelivererDeps = {
  readonly deliveries: Store['deliveries'];
  readonly dialler: (accountId: AccountId) => Dialler;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn' | 'info'>;
  readonly pollMs?: number;
};

export type Deliverer = {
  /** Gives up what is under way: another gateway, or the next start, goes on with it. */
  readonly stop: () => Promise<void>;
};

export function startDeliverer(deps: DelivererDeps): Deliverer {
  const state: State = {
    ...deps,
    places: createPlaces(),
    stopping: new AbortController(),
    running: new Set(),
    wake: () => undefined,
  };
  const loop = run(state);
  return {
    async stop() {
      state.stopping.abort(new Error('the service stops'));
      state.wake();
      await loop;
      await Promise.all(state.running);
    },
  };
}

type State = DelivererDeps & {
  readonly places: ReturnType<typeof createPlaces>;
  readonly stopping: AbortController;
  readonly running: Set<Promise<void>>;
  wake: () => void;
};

async function run(state: State): Promise<void> {
  let failing = false;
  while (!state.stopping.signal.aborted) {
    const woken = wakeOrPause(state);
    try {
      await tick(state);
      failing = false;
    } catch (error) {
      if (!failing) state.log.warn({ err: error }, 'Cannot look for what is to be delivered');
      failing = true;
    }
    await woken;
  }
}

/** Set up before the look, so that what becomes due during it is not slept over. */
function wakeOrPause(state: State): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, untilBeat(state.pollMs ?? POLL_MS, performance.now()));
  state.wake = () => {
    clearTimeout(timer);
    resolve();
  };
  return promise;
}

async function tick(state: State): Promise<void> {
  const due = await state.deliveries.due();
  // In another order each time, so that none is always the last to find a place.
  for (const { webhookId, accountId } of shuffled(due)) {
    if (state.stopping.signal.aborted) return;
    const limit = state.places.free(webhookId, accountId);
    if (limit === 0) continue;
    const leased = await state.deliveries.lease({ webhookId, limit, leaseMs: LEASE_MS });
    if (leased !== null) begin(state, leased, leased.deliveries.length === limit);
  }
}

function begin(state: State, leased: LeasedDeliveries, mayHaveMore: boolean): void {
  for (const delivery of leased.deliveries) {
    const leave = state.places.take(delivery.webhookId, delivery.accountId);
    const one = attempt(state, leased, delivery)
      .catch((error: unknown) => {
        state.log.warn({ err: error, delivery: delivery.id }, 'Cannot note how a delivery went');
      })
      .finally(() => {
        leave();
        state.running.delete(one);
        if (mayHaveMore) state.wake();
      });
    state.running.add(one);
  }
}

async function attempt(
  state: State,
  { webhook, secrets }: LeasedDeliveries,
  delivery: LeasedDelivery,
): Promise<void> {
  const { signal } = state.stopping;
  const { fetch } = state.dialler(delivery.accountId);
  const { id, event, attempt: number } = delivery;
  const payload = payloadOf(event);
  const of = { url: webhook.url, secrets, id, kind: event.kind, payload, number };
  const made = await deliver(fetch, of, { now: state.now(), signal });
  if (made.reason === null) return state.deliveries.delivered({ delivery, payload, attempt: made });
  if (signal.aborted) return state.deliveries.release(delivery);
  const disabled = await state.deliveries.failed({
    delivery,
    payload,
    attempt: made,
    retryAfterMs: retryAfterMs(delivery.attempt, delivery.ageMs, Math.random()),
    disableAfterMs: DISABLE_AFTER_MS,
    disabled: disabledEvent(state, delivery, made.reason),
  });
  if (disabled) state.log.info({ webhook: webhook.id }, 'A webhook that only failed was switched off');
}

function disabledEvent({ now }: State, { accountId, webhookId }: LeasedDelivery, reason: string): AuditEvent {
  const said = `${webhookId}: ${reason}`;
  return auditEvent({ kind: 'webhook.disabled', at: now(), accountId, reason: said });
}

function shuffled(due: readonly Due[]): readonly Due[] {
  return due
    .map((each) => ({ each, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

type Due = { readonly webhookId: WebhookId; readonly accountId: AccountId };

const POLL_MS = 1_000;
/** Longer than a call may take (10 s), with room for the store's answer. */
const LEASE_MS = 30_000;
/** A weekend, so that what broke on Friday evening can be mended on Monday. */
const DISABLE_AFTER_MS = 3 * 24 * 60 * 60 * 1000;
