// What every engine must do, as tests: run it on each (`sqlite/sqlite.test.ts`). It uses no engine's own SQL
// but the portable statements that it sends past the tables.

import { describe } from 'node:test';
import { acmeSuite } from './acme.test-support.ts';
import { accountsSuite } from './accounts.test-support.ts';
import { auditSearchSuite } from './audit-search.test-support.ts';
import { auditSuite } from './audit.test-support.ts';
import type { OpenBench } from './bench.test-support.ts';
import { certificateSearchSuite } from './certificate-search.test-support.ts';
import { certificatesSuite } from './certificates.test-support.ts';
import { changesSuite } from './changes.test-support.ts';
import { activitySuite } from './activity.test-support.ts';
import { apiKeysSuite } from './api-keys.test-support.ts';
import { confirmationSuite } from './confirmation.test-support.ts';
import { consoleSessionsSuite } from './console-sessions.test-support.ts';
import { endAccessSuite } from './end-access.test-support.ts';
import { deviceLoginsSuite } from './device-logins.test-support.ts';
import { gatewaysSuite } from './gateways.test-support.ts';
import { keySessionsSuite } from './key-sessions.test-support.ts';
import { listOrdersSuite } from './list-orders.test-support.ts';
import { membersSuite } from './members.test-support.ts';
import { leasesSuite } from './leases.test-support.ts';
import { ownSuite } from './own.test-support.ts';
import { providerFindingsSuite } from './provider-findings.test-support.ts';
import { revokedSerialsSuite } from './revoked-serials.test-support.ts';
import { revocationsSuite } from './revocations.test-support.ts';
import { sessionAuditSuite } from './session-audit.test-support.ts';
import { sessionChoiceSuite } from './session-choice.test-support.ts';
import { sessionSearchSuite } from './session-search.test-support.ts';
import { sessionsSuite } from './sessions.test-support.ts';
import { serviceTokensSuite } from './service-tokens.test-support.ts';
import { shareHostsSuite } from './share-hosts.test-support.ts';
import { ruleRoomSuite } from './rule-room.test-support.ts';
import { shareProvidersSuite } from './share-providers.test-support.ts';
import { sharesSuite } from './shares.test-support.ts';
import { sortedListsSuite } from './sorted-lists.test-support.ts';
import { sweepSuite } from './sweep.test-support.ts';
import { webhooksSuite } from './webhooks.test-support.ts';
import { deliveryLogSuite } from './delivery-log.test-support.ts';

/** Registers the suite for the engine called `name`. */
export function storeSuite(name: string, open: OpenBench): void {
  describe(`the store on ${name}`, () => {
    accountsSuite(open);
    membersSuite(open);
    consoleSessionsSuite(open);
    keySessionsSuite(open);
    apiKeysSuite(open);
    serviceTokensSuite(open);
    deviceLoginsSuite(open);
    sharesSuite(open);
    listOrdersSuite(open);
    sortedListsSuite(open);
    shareProvidersSuite(open);
    ruleRoomSuite(open);
    shareHostsSuite(open);
    sessionsSuite(open);
    sessionAuditSuite(open);
    confirmationSuite(open);
    sessionChoiceSuite(open);
    sessionSearchSuite(open);
    leasesSuite(open);
    revocationsSuite(open);
    auditSuite(open);
    auditSearchSuite(open);
    changesSuite(open);
    webhooksSuite(open);
    deliveryLogSuite(open);
    certificatesSuite(open);
    certificateSearchSuite(open);
    revokedSerialsSuite(open);
    ownSuite(open);
    providerFindingsSuite(open);
    endAccessSuite(open);
    sweepSuite(open);
    gatewaysSuite(open);
    activitySuite(open);
    acmeSuite(open);
  });
}
