// Brings a store to the newest form: the migrations that it lacks, in order, in one transaction, so that a
// crash or a second process starting at the same time leaves it either before or after, never between.
//
// One version back runs on the new form, so that gateways are replaced one by one: a migration adds tables,
// and columns that may be left out of an INSERT. What the version before still uses goes in the version
// after. A release may hold several migrations: each names the form of the release before (`LAST_RELEASED`),
// since that is what one back means.

import type { Kysely } from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { firstTables } from './0001-first-tables.ts';
import { providerDefinitions } from './0002-provider-definitions.ts';
import { membersAndKeys } from './0003-members-and-keys.ts';
import { shareHosts } from './0004-share-hosts.ts';
import { sessionsAuditWebhooks } from './0005-sessions-audit-webhooks.ts';
import { certificates } from './0006-certificates.ts';
import { tunnelShares } from './0007-tunnel-shares.ts';
import { retentionIndexes } from './0008-retention-indexes.ts';
import { gateways } from './0009-gateways.ts';
import { certificateLife } from './0010-certificate-life.ts';
import { certificateShares } from './0011-certificate-shares.ts';
import { certificateLines } from './0012-certificate-lines.ts';
import { activity } from './0013-activity.ts';
import { consoleAccess } from './0014-console-access.ts';
import { sessionBrowsers } from './0016-session-browsers.ts';
import { restores } from './0017-restores.ts';
import { compromisedKeys } from './0018-compromised-keys.ts';
import { sessionConfirmation } from './0019-session-confirmation.ts';
import { verifiedEmails } from './0020-verified-emails.ts';
import { revokedSerials } from './0021-revoked-serials.ts';
import { authorityEnds } from './0022-authority-ends.ts';
import { owedRevocations } from './0023-owed-revocations.ts';
import { revokedByAccount } from './0024-revoked-by-account.ts';
import { owedByProvider } from './0025-owed-by-provider.ts';
import { webhookRotation } from './0026-webhook-rotation.ts';
import { deviceLogins } from './0027-device-logins.ts';
import { deviceKeyLogins } from './0028-device-key-logins.ts';
import { clientPrivateKeys } from './0029-client-private-keys.ts';
import { sessionFacts } from './0031-session-facts.ts';
import { serviceTokens } from './0032-service-tokens.ts';
import { shareIdentity } from './0033-share-identity.ts';
import { acme } from './0034-acme.ts';
import { shareRules } from './0035-share-rules.ts';
import { serviceTokenMakers } from './0036-service-token-makers.ts';
import { accessChanges } from './0037-access-changes.ts';
import { accessRequests } from './0038-access-requests.ts';
import { shareHostHeader } from './0041-share-host-header.ts';
import { sharesBehind } from './0043-shares-behind.ts';
import { shareFigures } from './0044-share-figures.ts';
import { auditContent } from './0046-audit-content.ts';
import { sessionEmails } from './0047-session-emails.ts';
import { credentialStarts } from './0048-credential-starts.ts';
import { listOrders } from './0049-list-orders.ts';
import { accessEndings } from './0050-access-endings.ts';
import { shareAppearance } from './0051-share-appearance.ts';
import { webhookLog } from './0052-webhook-log.ts';
import { shareOwner } from './0053-share-owner.ts';
import { providerFindings } from './0054-provider-findings.ts';
import { certificateOrders } from './0055-certificate-orders.ts';
import { unansweredHours } from './0056-unanswered-hours.ts';
import { whatAPersonHolds } from './0057-what-a-person-holds.ts';
import { gatewayHealth } from './0058-gateway-health.ts';
import { moreListOrders } from './0059-more-list-orders.ts';
import { certificateWords } from './0060-certificate-words.ts';
import { memberIndexes } from './0062-member-indexes.ts';

/** A numbered change of form. Written once; a store that has it never runs it again. */
export type Migration = {
  readonly name: string;
  /** The lowest form whose version still runs on this one; when absent, the one before it. */
  readonly worksFrom?: number;
  readonly run: (db: Kysely<Tables>, engine: Engine) => Promise<void>;
};

/** Throws `store_unusable` when a newer version gave the store a form on which this one does not run. */
export async function migrate(engine: Engine, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await engine.transactAlone((db) => migrateWithin(db, engine, migrations));
}

/** As `migrate`, in a transaction of `transactAlone` that does more. */
export async function migrateWithin(
  db: Kysely<Tables>,
  engine: Engine,
  migrations: readonly Migration[],
): Promise<void> {
  const { applied, worksFrom } = await formOf(db);
  if (worksFrom > migrations.length) throw newerStore(applied, migrations.length);
  for (const [index, migration] of migrations.entries()) {
    const number = index + 1;
    if (number <= applied) continue;
    await migration.run(db, engine);
    await db
      .insertInto('migrations')
      .values({
        number,
        name: migration.name,
        works_from: migration.worksFrom ?? index,
        applied_at: engine.clock(),
      })
      .execute();
  }
}

async function formOf(db: Kysely<Tables>): Promise<{ readonly applied: number; readonly worksFrom: number }> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('works_from', 'integer', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const row = await db
    .selectFrom('migrations')
    .select((eb) => [eb.fn.max('number').as('applied'), eb.fn.max('works_from').as('worksFrom')])
    .executeTakeFirst();
  return { applied: row?.applied ?? 0, worksFrom: row?.worksFrom ?? 0 };
}

function newerStore(applied: number, known: number): ServiceError {
  return new ServiceError(
    'store_unusable',
    `Cannot open the database: its schema version is ${applied}, and this version of Doorward supports ${known}`,
    { hint: 'Run the version of Doorward that last used the database, or a newer one.' },
  );
}

/** The form of the last release: the version of then runs on the form of now. */
export const LAST_RELEASED = 1;

/** In order; a migration's number is its place. Never change or remove one that was released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'first-tables', run: firstTables },
  { name: 'provider-definitions', worksFrom: LAST_RELEASED, run: providerDefinitions },
  { name: 'members-and-keys', worksFrom: LAST_RELEASED, run: membersAndKeys },
  { name: 'share-hosts', worksFrom: LAST_RELEASED, run: shareHosts },
  { name: 'sessions-audit-webhooks', worksFrom: LAST_RELEASED, run: sessionsAuditWebhooks },
  { name: 'certificates', worksFrom: LAST_RELEASED, run: certificates },
  { name: 'tunnel-shares', worksFrom: LAST_RELEASED, run: tunnelShares },
  { name: 'retention-indexes', worksFrom: LAST_RELEASED, run: retentionIndexes },
  { name: 'gateways', worksFrom: LAST_RELEASED, run: gateways },
  { name: 'certificate-life', worksFrom: LAST_RELEASED, run: certificateLife },
  { name: 'certificate-shares', worksFrom: LAST_RELEASED, run: certificateShares },
  { name: 'certificate-lines', worksFrom: LAST_RELEASED, run: certificateLines },
  { name: 'activity', worksFrom: LAST_RELEASED, run: activity },
  { name: 'console-access', worksFrom: LAST_RELEASED, run: consoleAccess },
  { name: 'session-browsers', worksFrom: LAST_RELEASED, run: sessionBrowsers },
  { name: 'restores', worksFrom: LAST_RELEASED, run: restores },
  { name: 'compromised-keys', worksFrom: LAST_RELEASED, run: compromisedKeys },
  { name: 'session-confirmation', worksFrom: LAST_RELEASED, run: sessionConfirmation },
  { name: 'verified-emails', worksFrom: LAST_RELEASED, run: verifiedEmails },
  { name: 'revoked-serials', worksFrom: LAST_RELEASED, run: revokedSerials },
  { name: 'authority-ends', worksFrom: LAST_RELEASED, run: authorityEnds },
  { name: 'owed-revocations', worksFrom: LAST_RELEASED, run: owedRevocations },
  { name: 'revoked-by-account', worksFrom: LAST_RELEASED, run: revokedByAccount },
  { name: 'owed-by-provider', worksFrom: LAST_RELEASED, run: owedByProvider },
  { name: 'webhook-rotation', worksFrom: LAST_RELEASED, run: webhookRotation },
  { name: 'device-logins', worksFrom: LAST_RELEASED, run: deviceLogins },
  { name: 'device-key-logins', worksFrom: LAST_RELEASED, run: deviceKeyLogins },
  { name: 'client-private-keys', worksFrom: LAST_RELEASED, run: clientPrivateKeys },
  { name: 'session-facts', worksFrom: LAST_RELEASED, run: sessionFacts },
  { name: 'service-tokens', worksFrom: LAST_RELEASED, run: serviceTokens },
  { name: 'share-identity', worksFrom: LAST_RELEASED, run: shareIdentity },
  { name: 'acme', worksFrom: LAST_RELEASED, run: acme },
  { name: 'share-rules', worksFrom: LAST_RELEASED, run: shareRules },
  { name: 'service-token-makers', worksFrom: LAST_RELEASED, run: serviceTokenMakers },
  { name: 'access-changes', worksFrom: LAST_RELEASED, run: accessChanges },
  { name: 'access-requests', worksFrom: LAST_RELEASED, run: accessRequests },
  { name: 'share-host-header', worksFrom: LAST_RELEASED, run: shareHostHeader },
  { name: 'shares-behind', worksFrom: LAST_RELEASED, run: sharesBehind },
  { name: 'share-figures', worksFrom: LAST_RELEASED, run: shareFigures },
  { name: 'audit-content', worksFrom: LAST_RELEASED, run: auditContent },
  { name: 'session-emails', worksFrom: LAST_RELEASED, run: sessionEmails },
  { name: 'credential-starts', worksFrom: LAST_RELEASED, run: credentialStarts },
  { name: 'list-orders', worksFrom: LAST_RELEASED, run: listOrders },
  { name: 'access-endings', worksFrom: LAST_RELEASED, run: accessEndings },
  { name: 'share-appearance', worksFrom: LAST_RELEASED, run: shareAppearance },
  { name: 'webhook-log', worksFrom: LAST_RELEASED, run: webhookLog },
  { name: 'share-owner', worksFrom: LAST_RELEASED, run: shareOwner },
  { name: 'provider-findings', worksFrom: LAST_RELEASED, run: providerFindings },
  { name: 'certificate-orders', worksFrom: LAST_RELEASED, run: certificateOrders },
  { name: 'unanswered-hours', worksFrom: LAST_RELEASED, run: unansweredHours },
  { name: 'what-a-person-holds', worksFrom: LAST_RELEASED, run: whatAPersonHolds },
  { name: 'gateway-health', worksFrom: LAST_RELEASED, run: gatewayHealth },
  { name: 'more-list-orders', worksFrom: LAST_RELEASED, run: moreListOrders },
  { name: 'certificate-words', worksFrom: LAST_RELEASED, run: certificateWords },
  { name: 'member-indexes', worksFrom: LAST_RELEASED, run: memberIndexes },
];
