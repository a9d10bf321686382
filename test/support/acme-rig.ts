// One who orders, with a clock that the test moves, against the stand-in ACME server. Hosts are proved by TXT
// records that the server reads.

import { createConnection } from '../../src/acme/connection.ts';
import type { DnsRecords } from '../../src/acme/dns/dns-records.ts';
import { createOrderer, type Orderer } from '../../src/acme/orderer.ts';
import type { OrdererDeps } from '../../src/acme/orderer-deps.ts';
import { createAddressList } from '../../src/domain/address-list.ts';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import { createDialler } from '../../src/providers/dialler.ts';
import type { Store } from '../../src/store/store.ts';
import { startAcmeServer } from './acme-server.ts';

const RIG_NAME = '*.share.test';
const DIALLING = {
  ownListeners: [],
  refused: 'target_refused',
  unreachable: 'target_refused',
} as const;

export async function createAcmeRig(store: Store, clock: { time: number }) {
  const server = await startAcmeServer(() => clock.time);
  const events: AuditEvent[] = [];
  const txtEver = new Set<string>();
  const records: DnsRecords = {
    add: async ({ name, value }) => {
      txtEver.add(name);
      server.txt.set(name, (server.txt.get(name) ?? new Set()).add(value));
    },
    remove: async ({ name, value }) => {
      server.txt.get(name)?.delete(value);
    },
  };
  const deps: OrdererDeps = {
    store,
    connection: createConnection({
      directoryUrl: server.directory,
      fetch: createDialler({ allow: 'operator', ...DIALLING }).fetch,
      fetchElsewhere: createDialler({ allow: createAddressList([]), ...DIALLING }).fetch,
      trustedAuthorities: null,
      now: () => clock.time,
    }),
    directory: server.directory,
    email: 'ops@example.com',
    externalAccount: null,
    kindsFor: () => ['dns-01'],
    dns: { records, waitMs: 0 },
    isOurs: () => true,
    audited: (event) => void events.push(event),
    holder: 'first',
    now: () => clock.time,
    random: () => 0.5,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  };
  return {
    server,
    events,
    /** Names of records that were ever put. */
    txtEver,
    deps,
    orderer: (over: Partial<OrdererDeps> = {}): Orderer => createOrderer({ ...deps, ...over }),
    /** What is served of a name, and its row. */
    seen: async (name = RIG_NAME) => ({
      served: (await store.acme.served(clock.time)).find((each) => each.name === name) ?? null,
      row: await store.acme.find(name),
    }),
    want: (name = RIG_NAME) => store.acme.want({ name, accountId: null, at: clock.time }, null),
    valid: () => server.orders.filter(({ status }) => status === 'valid').length,
    /** Records that nobody took back. */
    left: () => [...server.txt.values()].reduce((sum, values) => sum + values.size, 0),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function ignore(): void {}
