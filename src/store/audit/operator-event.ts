// What an operator did to the store as a whole, written into its audit log by the same hand. It is of no
// account, so no account and no webhook is told of it.

import type { Transaction } from 'kysely';
import { OPERATOR } from '../../domain/actor.ts';
import { auditEvent } from '../../domain/audit-event.ts';
import { fromEvent } from './row.ts';
import type { Tables } from '../tables.ts';

export type OperatorEvent = {
  readonly kind: 'store.backed_up' | 'store.restored' | 'master_key.rotated';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reason: string;
};

/** The columns are those of the first form: a store of an older version takes it too. */
export async function noteOperatorEvent(db: Transaction<Tables>, event: OperatorEvent): Promise<void> {
  const {
    who_gets_in: _who,
    rule: _rule,
    changes: _changes,
    ...row
  } = fromEvent(auditEvent({ ...event, actor: OPERATOR }));
  await db.insertInto('audit_events').values(row).execute();
}
