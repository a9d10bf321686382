// Where agents come in (DESIGN "Tunnel"): an upgrade to `doorward-tunnel/2` at the tunnel host. The main
// thread says whether the key or the client certificate may serve the share; then the connection is the
// edge's. The key itself stays here: its hash is what is asked about. A connection that an agent lends shows
// a ticket of the edge's instead.
//
//   guard ──► host, path, size ──► ask: key hash + share ──► 101 ──► edge
//                   │                    │                            └── end(): its key or share is gone
//                   │                    └── each minute again, should anything have been missed
//                   └── tickets ──► one is the edge's ──► 101 ──► edge

import type { Duplex } from 'node:stream';
import { inTime } from '../domain/in-time.ts';
import { hashApiKey, parseApiKey } from '../domain/api-key.ts';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import type { AccountId, ShareId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { AgentConnection } from '../tunnel/agent-connection.ts';
import type { Edge } from '../tunnel/edge.ts';
import { MAX_TICKETS_SHOWN } from '../tunnel/limits.ts';
import {
  AGENT_HEADER,
  HELD_HEADER,
  isTunnelName,
  TICKET_HEADER,
  TICKETS_HEADER,
  TUNNEL_PATH,
  TUNNEL_PROTOCOL,
  WORKER_COUNT_HEADER,
  WORKER_HEADER,
} from '../tunnel/wire.ts';
import { valuesOf } from './flat-headers.ts';
import type { GuardedRequest } from './guard.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
import type { GateSettings, TunnelQuestion, WorkerAnswer } from './messages.ts';
import type { Visit } from './visit.ts';

export type TunnelDoor = {
  /**
   * Takes one upgrade to the tunnel's protocol that the guard let pass, at the gateway's address or at
   * tunnels' own.
   */
  readonly take: (visit: Visit, request: GuardedRequest, at: TunnelEntrance) => void;
  /** Ends the tunnels that are such, and those that are just being taken in. */
  readonly end: (is: (connection: AgentConnection) => boolean) => void;
  /** Whose certificates count changed: tunnels that stand on one that counts no more end. */
  readonly trustChanged: () => void;
  /** Asks again about every tunnel. */
  readonly recheck: () => void;
  readonly close: () => void;
};

export type TunnelEntrance = 'gateway' | 'own';

export type TunnelDoorOptions = {
  readonly settings: () => GateSettings;
  readonly edge: Edge;
  readonly ask: (question: TunnelQuestion) => Promise<WorkerAnswer>;
  readonly draining: () => boolean;
  readonly fail: (visit: Visit, error: unknown) => void;
  /** Whose a share is; null for one that is not known here (yet). */
  readonly accountOf: (shareId: ShareId) => AccountId | null;
  /** A certificate as it stands now. */
  readonly judge: (certificate: PresentedCertificate) => Pick<CertificateFacts, 'accountId' | 'revoked'>;
  readonly mostOfAccount?: number;
  /** Names this worker among those of all gateways. */
  readonly workerName: string;
  readonly recheckMs?: number;
};

export function createTunnelDoor(options: TunnelDoorOptions): TunnelDoor {
  const arriving = new Set<Arriving>();
  /** Of the tunnels that stand on one. */
  const certificates: Certificates = new WeakMap();
  const end: TunnelDoor['end'] = (is) => {
    options.edge.retain((connection) => !is(connection));
    for (const { ended } of arriving) ended.push(is);
  };
  const expiry = createExpiry(options.edge, end);
  const recheck = () => {
    expiry.look();
    recheckAll(options, end);
  };
  const timer = setInterval(recheck, options.recheckMs ?? RECHECK_MS).unref();
  const admit = async (arrived: Arrived) => {
    const before: Arriving = { ended: [] };
    arriving.add(before);
    try {
      const taken = await takeIn(options, arrived);
      if (taken === null) return;
      const { socket, connection, certificate } = taken;
      if (certificate !== null) certificates.set(connection, certificate);
      // What it was admitted on may have gone since the question was answered.
      if (socket.destroyed || before.ended.some((is) => is(connection))) return void socket.destroy();
      options.edge.accept(socket, connection);
      if (connection.keyExpiresAt !== null) expiry.look();
    } finally {
      arriving.delete(before);
    }
  };
  return {
    take: (visit, request, at) => {
      requireEntrance(options, { visit, request, at });
      const [tickets] = valuesOf(visit.exchange.rawHeaders, TICKETS_HEADER);
      // Also while it stops: somebody may wait for that connection.
      if (tickets !== undefined) return takeLent(options.edge, visit, tickets);
      if (options.draining())
        throw new ServiceError('draining', 'Cannot open a tunnel: the gateway is stopping');
      void admit({ visit, request, at }).catch((error: unknown) => options.fail(visit, error));
    },
    end,
    trustChanged: () => end((connection) => isRefused(options, certificates.get(connection))),
    recheck,
    close: () => {
      clearInterval(timer);
      expiry.stop();
    },
  };
}

type Arrived = { readonly visit: Visit; readonly request: GuardedRequest; readonly at: TunnelEntrance };

/** One that is being taken in, and what ended meanwhile. */
type Arriving = { readonly ended: ((connection: AgentConnection) => boolean)[] };
type Taken = {
  readonly socket: Duplex;
  readonly connection: AgentConnection;
  /** Null where it does not count. */
  readonly certificate: PresentedCertificate | null;
};
type Certificates = WeakMap<AgentConnection, PresentedCertificate>;

/** Its dates end tunnels by themselves (`expiresAt`). */
function isRefused({ judge }: TunnelDoorOptions, certificate: PresentedCertificate | undefined): boolean {
  if (certificate === undefined) return false;
  const { accountId, revoked } = judge(certificate);
  return accountId === null || revoked;
}

/** Null when the agent left meanwhile. */
async function takeIn(options: TunnelDoorOptions, arrived: Arrived): Promise<Taken | null> {
  const { workerName } = options;
  const { visit } = arrived;
  const asked = readAsked(options, arrived);
  const { workers } = options.settings().tunnel;
  const names = [WORKER_HEADER, workerName, WORKER_COUNT_HEADER, String(workers)];
  const answer = await inTime(options.ask(asked.question), ADMISSION_MS, () => null);
  if (visit.closed) return null;
  if (answer?.kind === 'refused') {
    const { code, message, hint } = answer;
    throw new ServiceError(code, message, hint === null ? {} : { hint });
  }
  if (answer?.kind !== 'tunnel')
    throw new ServiceError(
      'store_unavailable',
      'Cannot admit an agent: its key cannot be looked up at the moment',
    );
  if (asked.held.has(workerName))
    throw new ServiceError(
      'tunnel_held',
      'Cannot open a second tunnel: this worker already has one of that agent',
      {
        extra: { worker: workerName, workers },
      },
    );
  refuseMoreThanIsFair(options, answer.shareId);
  const { agentId, question } = asked;
  visit.status = 101;
  const socket = visit.exchange.switchProtocols(names);
  const { id: keyId, expiresAt: keyExpiresAt, byCertificate = false } = answer.key;
  const { keyHash, certificate } = question;
  const connection = { shareId: answer.shareId, agentId, keyId, keyHash, certificate, keyExpiresAt };
  const { connection: from } = visit.exchange;
  return { socket, connection, certificate: byCertificate ? from.certificate : null };
}

/**
 * The visit is nobody's: what passes on the connection are other visits, which count, and a ticket of another
 * worker's leads an agent here by chance. Throws `misdirected` for it.
 */
function takeLent(edge: Edge, visit: Visit, shown: string): void {
  const { exchange } = visit;
  const tickets = shown.split(',', MAX_TICKETS_SHOWN).map((ticket) => ticket.trim());
  const wellFormed = tickets.filter(isTicket);
  const claim = edge.claim(wellFormed);
  if (wellFormed.length === tickets.length) exchange.events.onClose = () => {};
  if (claim === null)
    throw new ServiceError('misdirected', 'Cannot lend a connection: this worker gave no such ticket');
  visit.status = 101;
  const socket = exchange.switchProtocols([TICKET_HEADER, claim.ticket]);
  visit.closed = true;
  claim.adopt(socket);
}

function isTicket(text: string): boolean {
  return TICKET.test(text);
}

type Asked = {
  readonly question: TunnelQuestion;
  readonly agentId: string;
  readonly held: ReadonlySet<string>;
};

/** Throws for what no agent of this version asks for, here and now. */
function requireEntrance(options: TunnelDoorOptions, { visit, request, at }: Arrived): void {
  const { tunnel } = options.settings();
  if (request.host !== tunnel.host || (at === 'gateway' && !tunnel.atGateway))
    throw new ServiceError('misdirected', 'Cannot open a tunnel: this host does not accept agents');
  if (visit.exchange.upgrade !== TUNNEL_PROTOCOL)
    throw new ServiceError('bad_request', 'Cannot open a tunnel: the agent is of another version', {
      hint: 'Update Doorward on the machine of the agent to the version of the gateway.',
    });
  if (visit.facts.size > MAX_HEAD_CHARACTERS)
    throw new ServiceError('headers_too_large', 'Cannot open a tunnel: the request has too many headers');
  if (URL.parse(request.target, 'http://tunnel')?.pathname !== TUNNEL_PATH)
    throw new ServiceError('not_found', 'Cannot open a tunnel: this path does not exist');
}

/** Throws what is wrong with the question, before anybody is asked. */
function readAsked(options: TunnelDoorOptions, { visit, request, at }: Arrived): Asked {
  const { tunnel } = options.settings();
  const { rawHeaders } = visit.exchange;
  const share = new URL(request.target, 'http://tunnel').searchParams.get('share') ?? '';
  const agentId = valuesOf(rawHeaders, AGENT_HEADER)[0] ?? '';
  if (share === '' || share.length > MAX_SHARE_CHARACTERS || !isTunnelName(agentId))
    throw new ServiceError(
      'bad_request',
      'Cannot open a tunnel: the request does not name a share and an agent',
    );
  const bearer = /^bearer +(.+)$/i.exec(valuesOf(rawHeaders, 'authorization')[0] ?? '')?.[1];
  const presented = visit.exchange.connection.certificate;
  if (bearer === undefined && presented === null)
    throw new ServiceError('api_key_missing', 'Cannot open a tunnel: the request carries no API key', {
      hint: 'Send "Authorization: Bearer dw_…".',
    });
  const key = bearer === undefined ? undefined : parseApiKey(bearer);
  if (key === null)
    throw new ServiceError('api_key_invalid', 'Cannot open a tunnel: the API key is malformed');
  const held = new Set((valuesOf(rawHeaders, HELD_HEADER)[0] ?? '').split(',').map((name) => name.trim()));
  const question = {
    ask: 'tunnel',
    keyHash: key === undefined ? null : hashApiKey(key),
    certificate:
      presented === null ? null : { authorityId: presented.authorityId, fingerprint: presented.fingerprint },
    asksCertificate: tunnel.asksCertificates?.[at] === true,
    share,
    address: visit.visitor.address,
  } as const;
  return { question, agentId, held };
}

/** An account with connections without end would leave none to the others. */
function refuseMoreThanIsFair(options: TunnelDoorOptions, asked: ShareId): void {
  const { accountOf, mostOfAccount = MAX_TUNNELS_OF_ACCOUNT } = options;
  const account = accountOf(asked);
  if (account === null) return;
  const held = options.edge.count(({ shareId }) => accountOf(shareId) === account);
  if (held >= mostOfAccount)
    throw new ServiceError(
      'rate_limited',
      'Cannot open a tunnel: the account has too many tunnels at this worker',
    );
}

/**
 * Whoever may not serve any more loses its tunnel. When nobody can say, it stays: the store being away ends
 * no share.
 */
function recheckAll({ edge, ask }: TunnelDoorOptions, end: TunnelDoor['end']): void {
  const served = new Map<string, AgentConnection>();
  edge.retain((connection) => {
    served.set(grantOf(connection), connection);
    return true;
  });
  for (const [grant, { keyHash, certificate, shareId }] of served)
    void (async () => {
      const { kind } = await ask({
        ask: 'tunnel',
        keyHash,
        certificate,
        // It was, or there would be none.
        asksCertificate: certificate !== null,
        share: shareId,
        address: null,
      });
      if (kind === 'refused') end((connection) => grantOf(connection) === grant);
    })();
}

/** Ends tunnels as their keys expire. It looks again each minute at least, for clocks are set. */
function createExpiry(edge: Edge, end: TunnelDoor['end']) {
  let timer: NodeJS.Timeout | null = null;
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const look = (): void => {
    const now = Date.now();
    let next = Infinity;
    end(({ keyExpiresAt }) => keyExpiresAt !== null && keyExpiresAt <= now);
    edge.retain(({ keyExpiresAt }) => {
      if (keyExpiresAt !== null && keyExpiresAt > now) next = Math.min(next, keyExpiresAt);
      return true;
    });
    stop();
    if (next < Infinity) timer = setTimeout(look, Math.min(next - now, RECHECK_MS)).unref();
  };
  return { look, stop };
}

function grantOf({ keyHash, certificate, shareId }: AgentConnection): string {
  return `${keyHash ?? ''} ${certificate?.fingerprint ?? ''} ${shareId}`;
}

/** Base64url of 16 bytes. */
const TICKET = /^[A-Za-z0-9_-]{22}$/;
/** DESIGN 3: before the 101, 8 KiB and 5 s. */
const MAX_HEAD_CHARACTERS = 8 * 1024;
const ADMISSION_MS = 5_000;
/** A fifth of the connections that a worker takes at all. */
const MAX_TUNNELS_OF_ACCOUNT = 4_000;
/** A name or an id. */
const MAX_SHARE_CHARACTERS = 100;
/** Changes are told at once. This is for what nobody is told of. */
const RECHECK_MS = 60_000;
