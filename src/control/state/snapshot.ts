// What an account has, as its state is made of it and as a plan is thought out for it.

import type { AccountId } from '../../domain/id.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { shortHash } from '../../domain/secret.ts';
import type { VersionedPolicy } from '../../store/certificates/certificate.ts';
import type { ShareHostRow } from '../../store/shares/host.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { Place, RowsInOrder } from '../../store/sorting.ts';
import type { Store } from '../../store/store.ts';
import type { ServiceTokenRow } from '../../store/tokens/service-token.ts';
import type { Webhook } from '../../store/webhooks/webhook.ts';
import { etagOf } from '../etag.ts';
import { hostVersion } from '../hosts/schema.ts';
import { serviceTokenVersion } from '../tokens/schema.ts';
import { webhookVersion } from '../webhooks/view.ts';
import type { SectionName } from './sections.ts';

/** Null for a section that was not asked for. Shares are always there: hosts and tokens name them. */
export type Snapshot = {
  readonly providers: readonly ProviderDefinition[] | null;
  readonly shares: readonly ShareRow[];
  readonly hosts: readonly ShareHostRow[] | null;
  readonly tokens: readonly ServiceTokenRow[] | null;
  readonly webhooks: readonly Webhook[] | null;
  readonly certificatePolicy: VersionedPolicy | null;
};

export async function readSnapshot(
  store: Store,
  accountId: AccountId,
  sections: ReadonlySet<SectionName>,
): Promise<Snapshot> {
  const { providerDefinitions, shares, hosts, serviceTokens, webhooks, cas } = store;
  const asked = <Read>(name: SectionName, read: () => Promise<Read>): Promise<Read | null> =>
    sections.has(name) ? read() : Promise.resolve(null);
  return {
    providers: await asked('providers', () =>
      everyRow(
        (after) => providerDefinitions.list(accountId, { after, limit: PAGE }),
        ({ name }) => name,
      ),
    ),
    shares: await everyInOrder(async (after) => {
      const page = await shares.list(accountId, { after, limit: PAGE });
      return { rows: page.shares, next: page.next };
    }),
    hosts: await asked('hosts', () =>
      everyInOrder((after) => hosts.list(accountId, { after, limit: PAGE, shareId: null })),
    ),
    tokens: await asked('tokens', () =>
      everyRow(
        (after) => serviceTokens.list(accountId, { after, limit: PAGE }),
        ({ name }) => name,
      ),
    ),
    webhooks: await asked('webhooks', () =>
      everyInOrder((after) => webhooks.list(accountId, { after, limit: PAGE })),
    ),
    certificatePolicy: await asked('certificatePolicy', () => cas.policy(accountId)),
  };
}

/** An agent makes its own ephemeral share, and takes it down. */
export function isOfState({ tunnel }: ShareRow): boolean {
  return tunnel !== 'ephemeral';
}

/** Another after each change of anything in it. */
export function snapshotTag(snapshot: Snapshot): string {
  const { providers, shares, hosts, tokens, webhooks, certificatePolicy } = snapshot;
  return shortHash(
    JSON.stringify([
      providers?.map(etagOf),
      shares.filter(isOfState).map(etagOf),
      hosts?.map((host) => etagOf(hostVersion(host))),
      tokens?.map((token) => etagOf(serviceTokenVersion(token))),
      webhooks?.map((webhook) => etagOf(webhookVersion(webhook))),
      certificatePolicy?.version,
    ]),
  );
}

async function everyRow<Row>(
  page: (after: string | null) => Promise<readonly Row[]>,
  nameOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const rows = await page(after);
    all.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return all;
    after = nameOf(last);
  }
}

async function everyInOrder<Row>(
  page: (after: Place | null) => Promise<RowsInOrder<Row>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: Place | null = null; ;) {
    const { rows, next }: RowsInOrder<Row> = await page(after);
    all.push(...rows);
    if (next === null) return all;
    after = next;
  }
}

const PAGE = 500;
