// What tests and trials of providers found: of each provider and kind the last, within the account.

import type { ActorText } from '../../domain/actor.ts';
import type { AccountId } from '../../domain/id.ts';
import type { FindingKind, ProviderFinding } from '../../domain/provider-finding.ts';
import type { Records } from '../records.ts';
import type { ProviderFindingsTable } from './tables.ts';

export type KeptFinding = ProviderFinding & {
  readonly accountId: AccountId;
  readonly provider: string;
  readonly kind: FindingKind;
  /** Says which settings were tried: others make it out of date. */
  readonly settings: string;
  readonly at: number;
  readonly actor: ActorText;
};

export interface ProviderFindingTable {
  /** In the place of the one before, unless that is newer. */
  keep(finding: KeptFinding): Promise<void>;
  /** All of an account, or of one provider that it may use: two of each at most. */
  list(accountId: AccountId, provider?: string): Promise<readonly KeptFinding[]>;
}

export function createProviderFindingTable({ read, write }: Records): ProviderFindingTable {
  return {
    keep: ({ accountId, provider, kind, settings, at, actor, ...found }) =>
      write(async ({ db }) => {
        const columns = { settings, found_at: at, actor, found: JSON.stringify(found) };
        await db
          .insertInto('provider_findings')
          .values({ account_id: accountId, provider, kind, ...columns })
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'provider', 'kind'])
              .doUpdateSet(columns)
              .where('provider_findings.found_at', '<=', at),
          )
          .execute();
      }),
    list: async (accountId, provider) => {
      const all = read.selectFrom('provider_findings').selectAll().where('account_id', '=', accountId);
      const wanted = provider === undefined ? all : all.where('provider', '=', provider);
      const rows = await wanted.orderBy('provider').limit(MOST).execute();
      return rows.map(toFinding);
    },
  };
}

function toFinding(row: ProviderFindingsTable): KeptFinding {
  return {
    // What is there was written by `keep`.
    ...(JSON.parse(row.found) as ProviderFinding),
    accountId: row.account_id as AccountId,
    provider: row.provider,
    kind: row.kind as FindingKind,
    settings: row.settings,
    at: row.found_at,
    actor: row.actor as ActorText,
  };
}

/** Far more than an account has providers. */
const MOST = 5_000;
