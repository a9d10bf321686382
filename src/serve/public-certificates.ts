// Certificates that come by themselves, wired up: what is served from memory, who orders, who is told. Every
// gateway serves what the store holds and answers challenges; one orders.

import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { alpnAnswer } from '../acme/alpn-answer.ts';
import { createChallengeBook } from '../acme/challenge-book.ts';
import { createConnection } from '../acme/connection.ts';
import { CLOUDFLARE_API, cloudflareRecords } from '../acme/dns/cloudflare.ts';
import type { DnsRecords } from '../acme/dns/dns-records.ts';
import { hookRecords } from '../acme/dns/hook.ts';
import { rfc2136Records } from '../acme/dns/rfc2136.ts';
import { createFirstUse } from '../acme/first-use.ts';
import { createOrderer, type Orderer } from '../acme/orderer.ts';
import { plainFront } from '../acme/plain-front.ts';
import { challengeKinds, isBelow, nameForShareHost, ownNames } from '../acme/own-names.ts';
import type { PublicCertificates } from '../acme/public-certificates.ts';
import type { AcmeConfig, Config, DnsConfig } from '../config/config.ts';
import type { RouteFeed } from '../control/feed/route-feed.ts';
import { type AddressList, createAddressList } from '../domain/address-list.ts';
import { newId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import { hostOrigin, isShareName } from '../domain/share-name.ts';
import type { Share } from '../domain/share.ts';
import { listen } from '../http/listener.ts';
import { namesOf, type TlsMaterial } from '../http/tls-contexts.ts';
import { createDialler } from '../providers/dialler.ts';
import type { AcmeTable } from '../store/acme/acme.ts';
import { tunnelUrl } from './gate-settings.ts';
import type { FrontDoors } from './front-doors.ts';
import type { Records } from './records.ts';
import { useCertificates } from './reload.ts';
import type { Running } from './running.ts';
import type { Undo } from './undo.ts';

type PublicCertificateDeps = {
  readonly acme: AcmeConfig;
  readonly records: Records;
  readonly findByHost: (host: string) => Share | null;
  /** Has those of `running` served from now on. Resolves once every worker does. */
  readonly use: () => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
};

function createPublicCertificates(running: Running, deps: PublicCertificateDeps): PublicCertificates {
  const { findByHost, now, log } = deps;
  const { store } = deps.records;
  const own = () => ownNames(running.config, tunnelUrl(running.config));
  const isCovered = (name: string) => coversAll(running.certificates, name);
  const isOurs = (name: string): boolean => {
    if (isCovered(name)) return false;
    if (own().includes(name)) return true;
    return findByHost(name) !== null && nameForShareHost(running.config, name) === name;
  };
  const orderer = ordererOf(running, deps, isOurs);
  const book = createChallengeBook({
    read: () => store.acme.challenges(),
    now,
    pause: (ms) => pause(ms, undefined, { ref: false }),
  });
  const firstUse = createFirstUse({
    acme: store.acme,
    nameOf: (host) => {
      if (own().includes(host)) return { name: host, accountId: null };
      const share = findByHost(host);
      const name = share === null ? null : nameForShareHost(running.config, host);
      if (name === null) return null;
      return { name, accountId: own().includes(name) ? null : (share?.accountId ?? null) };
    },
    isServed: (host) => isCovered(host) || coversAll(running.acquired, host),
    wake: orderer.wake,
    now,
    log,
  });
  const { refresh, lookAgain } = createRefresh(running, deps, firstUse.look);
  let timer: NodeJS.Timeout | null = null;
  return {
    refresh,
    awaited: firstUse.awaited,
    alpn: async (host) => {
      const authorization = await book.find('tls-alpn-01', host, null);
      return authorization === null ? null : alpnAnswer(host, authorization, now());
    },
    http: (host, token) => book.find('http-01', host, token),
    originOf: (host) => originOf(running.config, own(), { host, findByHost }),
    async start() {
      for (const name of own())
        if (!isCovered(name)) await store.acme.want({ name, accountId: null, at: now() }, null);
      orderer.start();
      timer = setInterval(() => void lookAgain(), REFRESH_MS).unref();
      await refresh();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      firstUse.stop();
      await orderer.stop();
    },
  };
}

function ordererOf(
  running: Running,
  deps: PublicCertificateDeps,
  isOurs: (name: string) => boolean,
): Orderer {
  const { acme, records, now, log } = deps;
  return createOrderer({
    store: records.store,
    connection: createConnection({
      directoryUrl: acme.directory,
      fetch: outbound().fetch,
      fetchElsewhere: outbound(createAddressList([])).fetch,
      trustedAuthorities: acme.trustedAuthorities,
      now,
    }),
    directory: acme.directory,
    email: acme.email,
    externalAccount: acme.externalAccount,
    kindsFor: (name) => challengeKinds(running.config, name),
    dns: acme.dns === null ? null : { records: dnsRecords(acme.dns, now), waitMs: acme.dns.waitMs },
    isOurs,
    audited: (event) => records.metrics.countEvents([event]),
    holder: newId('gtw'),
    now,
    random: Math.random,
    log,
  });
}

/**
 * Keeps what is served, and the figures, as the store has it: `refresh` when the feed tells of something new,
 * `lookAgain` every now and then. `used` is called when other certificates are served.
 */
function createRefresh(
  running: Running,
  { records, use, now, log }: PublicCertificateDeps,
  used: () => void,
): { readonly refresh: () => Promise<void>; readonly lookAgain: () => Promise<void> } {
  const { acme } = records.store;
  /** How many names have a certificate that is good now. */
  const seeNames = async (): Promise<number> => {
    const names = await acme.names();
    records.metrics.seeAcme(names.map(({ held, failures }) => ({ until: held?.notAfter ?? null, failures })));
    return names.filter(({ held }) => held !== null && held.notAfter > now()).length;
  };
  const readAgain = async (): Promise<void> => {
    const next = await servedMaterials(acme, now(), log);
    await seeNames();
    if (isSame(running.acquired, next)) return;
    running.acquired = next;
    await use();
    used();
  };
  // What is over goes, and figures stay true; what is new is told by the feed.
  const lookAgain = async (): Promise<void> => {
    try {
      if ((await seeNames()) !== running.acquired.length) await refresh();
    } catch (error) {
      log.warn({ err: error }, 'Cannot read certificates');
    }
  };
  let turn: Promise<void> = Promise.resolve();
  const refresh = (): Promise<void> => {
    // One after the other: what was read first must not be put to use last.
    turn = turn
      .then(readAgain)
      .catch((error: unknown) => log.warn({ err: error }, 'Cannot read certificates'));
    return turn;
  };
  return { refresh, lookAgain };
}

/** As what is served: read from the store before anything listens. */
export async function servedMaterials(
  acme: Pick<AcmeTable, 'served'>,
  now: number,
  log: Log,
): Promise<readonly TlsMaterial[]> {
  const unusable = (name: string) => log.error({ name }, 'Cannot use a certificate of the store: left out');
  const materials = (await acme.served(now, unusable)).map(({ name, certificate, privateKey }) => ({
    certificate,
    key: privateKey.reveal(),
    names: [name],
  }));
  // The first is the one for whoever asks for another, and every listener begins with it; the others are made
  // into contexts when they are needed, and fail alone.
  const first = materials.findIndex(isUsable);
  const left = first === -1 ? materials : materials.slice(0, first);
  for (const { names } of left) for (const name of names) unusable(name);
  return materials.slice(left.length);
}

function isUsable({ certificate, key }: TlsMaterial): boolean {
  try {
    createSecureContext({ cert: certificate, key });
    return true;
  } catch {
    return false;
  }
}

/** Any name below the share domain is ours, whether a share has it or not: nobody learns which do. */
function originOf(
  { gateway: { publicUrl } }: Config,
  own: readonly string[],
  { host, findByHost }: Pick<PublicCertificateDeps, 'findByHost'> & { readonly host: string },
): string | null {
  const isBelowDomain =
    isBelow(host, publicUrl.domain) && isShareName(host.slice(0, -publicUrl.domain.length - 1));
  const isOurs = isBelowDomain || own.includes(host) || findByHost(host) !== null;
  return isOurs ? hostOrigin(host, publicUrl) : null;
}

function dnsRecords(dns: DnsConfig, now: () => number): DnsRecords {
  if (dns.provider === 'hook') return hookRecords(dns.command);
  if (dns.provider === 'cloudflare')
    return cloudflareRecords({ ...dns, apiUrl: CLOUDFLARE_API }, outbound().fetch);
  const { server, zone, keyName, algorithm, keySecret } = dns;
  return rfc2136Records({ ...server, zone, key: { name: keyName, algorithm, secret: keySecret } }, now);
}

/** To whom the operator names; to what others name, with a list of what it may be but public. */
function outbound(allow: 'operator' | AddressList = 'operator') {
  const fault = 'target_refused';
  return createDialler({
    allow,
    ownListeners: [],
    refused: fault,
    unreachable: fault,
    callLimitMs: CALL_LIMIT_MS,
  });
}

function coversAll(materials: readonly TlsMaterial[], name: string): boolean {
  const wildcard = `*${name.slice(name.indexOf('.'))}`;
  return materials.some(({ names, certificate }) => {
    const covered = names ?? namesOf(certificate);
    return covered.includes(name) || covered.includes(wildcard);
  });
}

function isSame(before: readonly TlsMaterial[], after: readonly TlsMaterial[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ certificate }, index) => certificate === after[index]?.certificate)
  );
}

/** Some ACME servers think for long before they answer a request for a certificate. */
const CALL_LIMIT_MS = 30_000;
const REFRESH_MS = 60_000;

type OpenDeps = {
  readonly records: Records;
  readonly feed: Pick<RouteFeed, 'findByHost'>;
  readonly doors: Pick<FrontDoors, 'useCertificates'>;
  readonly now: () => number;
  readonly log: Log;
};

/** With the listener for plain HTTP, where one is configured. Throws `address_in_use`. Orders nothing yet. */
export async function openPublicCertificates(
  running: Running,
  { records, feed, doors, now, log }: OpenDeps,
): Promise<Undo> {
  const { acme } = running.config;
  if (acme === null) return () => undefined;
  const certificates = createPublicCertificates(running, {
    acme,
    records,
    findByHost: feed.findByHost,
    use: () => useCertificates(running, doors),
    now,
    log,
  });
  const front =
    acme.httpBindAddress === null
      ? null
      : await listen({
          name: 'acme',
          at: acme.httpBindAddress,
          certificates: null,
          handle: plainFront({ challenge: certificates.http, originOf: certificates.originOf }),
        });
  running.publicCertificates = certificates;
  return async () => {
    await certificates.stop();
    await front?.close(0);
  };
}
