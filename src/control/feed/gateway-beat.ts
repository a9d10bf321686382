// Tells the store, now and then, that this gateway lives, where agents reach it, and how it does.
// `GET /v1/gateways` lists those that do.

import { GATEWAY_BEAT_MS } from '../../domain/beat.ts';
import type { Log } from '../../domain/log.ts';
import type { GatewayHealth, GatewayRow, GatewayTable } from '../../store/gateways.ts';

export type GatewayBeatDeps = {
  readonly gateways: GatewayTable;
  /** How it does at that moment. */
  readonly health: () => GatewayHealth;
  readonly log: Log;
};

/**
 * Resolves once the first beat was tried. The returned function ends the beats, and has the gateway listed no
 * more.
 */
export async function startGatewayBeat(
  { gateways, health, log }: GatewayBeatDeps,
  gateway: GatewayRow,
): Promise<() => Promise<void>> {
  let running: Promise<void> = Promise.resolve();
  const beat = async () => {
    try {
      await gateways.beat(gateway, FORGET_MS, health());
    } catch (error) {
      log.warn({ err: error }, 'Cannot announce this gateway: agents may not find it');
    }
  };
  await beat();
  const timer = setInterval(() => {
    running = beat();
  }, GATEWAY_BEAT_MS).unref();
  return async () => {
    clearInterval(timer);
    // One that is under way would list it again.
    await running;
    await gateways.remove(gateway.id).catch((error: unknown) => {
      log.warn({ err: error }, 'Cannot announce that this gateway stops');
    });
  };
}

const FORGET_MS = 10 * 60_000;
