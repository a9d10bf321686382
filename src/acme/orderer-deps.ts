// What ordering stands on: the store, the ACME server, and what the configuration says of names.

import type { ExternalAccount } from '../config/config.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { Log } from '../domain/log.ts';
import type { Store } from '../store/store.ts';
import type { AcmeConnection } from './connection.ts';
import type { DnsRecords } from './dns/dns-records.ts';
import type { ChallengeKind } from './order.ts';

export type OrdererDeps = {
  readonly store: Pick<Store, 'acme' | 'audit' | 'together'>;
  readonly connection: AcmeConnection;
  readonly directory: string;
  readonly email: string;
  readonly externalAccount: ExternalAccount | null;
  /** How a name can be proved, the most wanted first. */
  readonly kindsFor: (name: string) => readonly ChallengeKind[];
  readonly dns: { readonly records: DnsRecords; readonly waitMs: number } | null;
  /** Whether a certificate for that name is ours to get; asked before each order. */
  readonly isOurs: (name: string) => boolean;
  /** Told of events that were written down. */
  readonly audited: (event: AuditEvent) => void;
  readonly holder: string;
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
};
