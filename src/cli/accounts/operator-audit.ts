// `doorward audit --operator`: what happened to the service as a whole, which is in no account's audit log:
// backups, restores, rotations of the master key, reloads. Read from the store itself, on its machine.

import type { AuditEventObject } from '../../wire/audit-event.ts';
import { type AuditEvent, toldEvent } from '../../domain/audit-event.ts';
import { AUDIT_KINDS, type AuditKind, type AuditResult } from '../../domain/audit-kind.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AuditFilter, AuditTable } from '../../store/audit/query.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';

export type OperatorAuditOptions = ConfigOptions & {
  readonly kind?: readonly string[] | undefined;
  readonly email?: string | undefined;
  readonly share?: string | undefined;
  readonly provider?: string | undefined;
  readonly actor?: string | undefined;
  readonly result?: AuditResult | undefined;
  readonly text?: string | undefined;
  /** RFC 3339. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly follow?: true;
};

/**
 * Tells the newest `last` events, oldest first; all of them when it is null. Throws `usage` for what has no
 * meaning here.
 */
export async function tellOperators(
  options: OperatorAuditOptions,
  last: number | null,
  tell: Tell,
): Promise<void> {
  const filter = filterOf(options);
  await withStore(options, ({ audit }) =>
    last === null ? tellAll(audit, filter, tell) : tellNewest(audit, { filter, last }, tell),
  );
}

async function tellAll(audit: AuditTable, filter: AuditFilter, tell: Tell): Promise<void> {
  let from: number | null = null;
  do {
    const page = await audit.page({ accountId: null, filter, order: 'oldest', from, limit: PAGE });
    tell(page.events.map(toldEvent));
    from = page.next;
  } while (from !== null);
}

async function tellNewest(
  audit: AuditTable,
  { filter, last }: { readonly filter: AuditFilter; readonly last: number },
  tell: Tell,
): Promise<void> {
  const events: AuditEvent[] = [];
  let from: number | null = null;
  do {
    const limit = Math.min(PAGE, last - events.length);
    const page = await audit.page({ accountId: null, filter, order: 'newest', from, limit });
    events.push(...page.events);
    from = page.next;
  } while (from !== null && events.length < last);
  tell(events.toReversed().map(toldEvent));
}

type Tell = (events: readonly AuditEventObject[]) => void;

function filterOf(options: OperatorAuditOptions): AuditFilter {
  const { kind = [], since, until, email = null, provider = null, actor = null } = options;
  const { result = null, text = null } = options;
  if (options.follow === true || options.share !== undefined)
    throw new ServiceError(
      'usage',
      'Cannot use --follow or --share with --operator: the events of a share belong to its account',
      {
        hint: 'Leave out --follow and --share.',
      },
    );
  return {
    kinds: kind.map(readKind),
    email,
    shareId: null,
    provider,
    actor,
    result,
    text,
    since: since === undefined ? null : Date.parse(since),
    until: until === undefined ? null : Date.parse(until),
  };
}

function readKind(text: string): AuditKind {
  const kind = AUDIT_KINDS.find((known) => known === text);
  if (kind === undefined)
    throw new ServiceError('usage', `Cannot filter by "${text}": there is no such kind`);
  return kind;
}

const PAGE = 200;
