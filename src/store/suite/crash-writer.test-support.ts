// A process that serves from a store and writes until it is killed or the store fails. It prints a line of
// JSON only after everything in that line was acknowledged: what a reader of the line may count on.
// Arguments: kind of engine, its file or address, master key, account, share, name of the share.

import type { AccountId, ShareId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { type StoreEngine, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { startOf } from './bench.test-support.ts';

/** One acknowledged round. */
export type Acknowledged = {
  readonly attempt: `att_${string}`;
  readonly session: `ses_${string}`;
  readonly version: number;
  readonly latest: number;
};

/** The last line of a process whose store failed. */
export type Failed = { readonly fault: string; readonly readable: boolean };

if (import.meta.main) await writeUntilTheEnd(process.argv.slice(2));

async function writeUntilTheEnd([kind, place = '', key = '', ...names]: readonly string[]) {
  const [account, share, name = ''] = names;
  const engine: StoreEngine =
    kind === 'postgres' ? { kind, url: new Secret(place) } : { kind: 'sqlite', file: place };
  const store = await openStore({ engine, masterKey: new Secret(key), now: Date.now, exclusive: true });
  const target = { id: share as ShareId, accountId: account as AccountId, name };
  try {
    for (;;) say(await oneRound(store, target));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const readable = await store.ping().then(
      () => true,
      () => false,
    );
    say({ fault: error.code, readable } satisfies Failed);
  }
}

type Target = { readonly id: ShareId; readonly accountId: AccountId; readonly name: string };

async function oneRound(
  { attempts, changes, sessions, shares }: Store,
  share: Target,
): Promise<Acknowledged> {
  const attempt = newId('att');
  await attempts.claim(attempt, Date.now());
  // Every session replaces the one before; a limit that is never reached keeps the loop rule out.
  const start = { ...startOf({ share, at: Date.now() }), loopLimit: Infinity };
  await sessions.begin(start);
  const { accountId, id } = share;
  const settings = () => ({ oauthEmailAddressPatterns: [attempt] });
  const row = await shares.modify({ accountId, id, settings, at: Date.now() });
  return { attempt, session: start.session.id, version: row?.version ?? 0, latest: await changes.latest() };
}

/** Pipes are written synchronously on POSIX, so the line is out before the next round. */
function say(line: Acknowledged | Failed): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
