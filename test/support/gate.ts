// A gate in this process, on a free port, with sessions made as the login makes them: everything is the real
// thing but the main thread, whose part the test plays (`answers`, `tell`).

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import { NO_TRUST, type TrustNews } from '../../src/domain/certificate-trust.ts';
import { newId, type SessionId } from '../../src/domain/id.ts';
import { providerGeneration, type ProviderRef } from '../../src/domain/provider-ref.ts';
import { shortHash } from '../../src/domain/secret.ts';
import { NO_SERVICE_TOKENS, type ServiceTokenNews } from '../../src/domain/service-token.ts';
import type { Session, SessionState } from '../../src/domain/session.ts';
import { sharesNow } from '../../src/domain/share-book.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share, type ShareLogin } from '../../src/domain/share.ts';
import type { TlsMaterial } from '../../src/http/tls-contexts.ts';
import { assertionKey } from '../../src/login/assertion-key.ts';
import { createSeal, type Seal } from '../../src/login/seal.ts';
import { sealSessions } from '../../src/login/session-cookie.ts';
import { FORWARD_LIMITS, type ForwardLimits } from '../../src/gateway/progress.ts';
import type {
  FromWorker,
  GateSettings,
  ToWorker,
  WorkerAnswer,
  SessionQuestion,
  CertificateQuestion,
  TunnelQuestion,
} from '../../src/gateway/messages.ts';
import { startGate } from '../../src/gateway/start-gate.ts';
import { steadyNow } from '../../src/gateway/steady-clock.ts';
import { createStoreGood } from '../../src/gateway/store-good.ts';
import { agentsOfGate } from './agents.ts';
import { usesTunnels } from './way.ts';
import { type OneLogin, shareLogin } from './share-login.ts';
import { unsetSettings } from './share-settings.ts';

export const TEST_KEYS = {
  signingKey: 'a signing key for tests that is long enough',
  encryptionKey: 'an encryption key for tests that is long enough',
} as const;
export const COOKIE_NAME = 'svc-auth-session';
export const BINDING_NAME = '__Host-svc-auth-bind';

export const TEST_PROVIDER: ProviderRef = {
  name: 'corp',
  type: 'oidc',
  generation: providerGeneration({
    name: 'corp',
    type: 'oidc',
    issuer: 'https://id.example.com',
    clientId: 'doorward',
  }),
  accountId: null,
  emailPatterns: [],
};

/** A share that answers at `<name>.share.localhost`; without `login` anybody may come in. */
export function testShare(name: string, target: string, more: Partial<Share> = {}): Share {
  return {
    id: newId('shr'),
    accountId: newId('acc'),
    name,
    hosts: [`${name}.share.localhost`],
    target,
    login: null,
    ...unsetSettings(),
    ...more,
  };
}

export function testLogin(more: Partial<OneLogin> = {}): ShareLogin {
  return shareLogin({
    providerName: TEST_PROVIDER.name,
    provider: TEST_PROVIDER,
    emailPatterns: [],
    checkIntervalMs: DEFAULT_CHECK_INTERVAL_MS,
    ...more,
  });
}

export type TestGateOptions = {
  readonly shares?: readonly Share[];
  readonly settings?: Partial<GateSettings>;
  readonly certificates?: readonly TlsMaterial[];
  readonly trust?: TrustNews;
  readonly tokens?: ServiceTokenNews;
  readonly limits?: Partial<ForwardLimits>;
  /** What the main thread answers; by default the states of `login()`, and `unavailable` for checks. */
  readonly answers?: (question: SessionQuestion) => WorkerAnswer | Promise<WorkerAnswer>;
  /** Those that it knows by their generations. */
  readonly providers?: readonly ProviderRef[];
  /** What it answers agents; nobody may serve anything unless said. */
  readonly admits?: (question: TunnelQuestion) => WorkerAnswer;
  /** What it answers of certificates that come by themselves. */
  readonly certificate?: (question: CertificateQuestion) => WorkerAnswer | Promise<WorkerAnswer>;
};

export type TestLogin = {
  readonly session: Session;
  readonly state: SessionState;
  /** The Cookie header: session cookie, and binding cookie over https. */
  readonly cookie: string;
};

export type TestAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly trailers: NodeJS.Dict<string>;
  readonly body: string;
};

export type TestCall = {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};

export type TestGate = {
  readonly port: number;
  readonly settings: GateSettings;
  readonly seal: Seal;
  /** Everything that the gate said, in order. */
  readonly said: readonly FromWorker[];
  readonly questions: () => readonly SessionQuestion[];
  readonly audits: () => readonly AuditEvent[];
  /** Logs somebody in: a session in a sealed cookie, and its state for when the gate asks. */
  readonly login: (share: Share, more?: Partial<Session & SessionState> & { binding?: string }) => TestLogin;
  readonly tell: (message: ToWorker) => void;
  /** When the last good poll of the store began, on the clock of `steadyNow()`. */
  readonly storeGood: (at: number) => void;
  /** Ends a session as the change feed would. */
  readonly end: (login: TestLogin) => void;
  /** One HTTP/1.1 request on a connection of its own. */
  readonly call: (call: TestCall) => Promise<TestAnswer>;
  /**
   * Bytes as they are (latin1) on one connection; answers all that came back once it closed, or after
   * `quietMs` of silence.
   */
  readonly raw: (bytes: string, quietMs?: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

export async function startTestGate(options: TestGateOptions = {}): Promise<TestGate> {
  const settings = testSettings(options.settings);
  const seal = createSeal(settings.keys);
  const states = new Map<SessionId, SessionState>();
  const said: FromWorker[] = [];
  let listener: ((message: ToWorker) => void) | null = null;
  const agents = usesTunnels() ? agentsOfGate(options.certificates ?? []) : null;
  const carried = (shares: readonly Share[]) => (agents === null ? shares : shares.map(agents.carry));
  const tell = (given: ToWorker) => {
    const message = given.type === 'shares' ? { ...given, upsert: carried(given.upsert) } : given;
    listener?.(structuredClone(message));
  };
  const answers =
    options.answers ??
    ((question: SessionQuestion): WorkerAnswer =>
      question.ask === 'session'
        ? { kind: 'session', state: states.get(question.sessionId) ?? null }
        : { kind: 'unavailable' });
  const admits = (question: TunnelQuestion) =>
    agents?.admit(question) ?? options.admits?.(question) ?? NOBODY;
  const hear = async (message: FromWorker) => {
    said.push(message);
    if (message.type !== 'question') return;
    const { question } = message;
    const answer = () => {
      if (question.ask === 'tunnel') return admits(question);
      if (question.ask === 'certificate' || question.ask === 'challenge')
        return options.certificate?.(question) ?? NOBODY;
      if (question.ask !== 'provider') return answers(question);
      const found = options.providers?.find(({ generation }) => generation === question.generation);
      return { kind: 'provider', name: found?.name ?? null } as const;
    };
    tell({ type: 'answer', id: message.id, answer: await answer() });
  };
  const storeGood = createStoreGood(steadyNow());
  const gate = await startGate(
    {
      postMessage: (message) => void hear(structuredClone(message)),
      on: (_event, given) => {
        listener = given;
      },
    },
    {
      settings,
      certificates: options.certificates ?? [],
      shares: sharesNow(carried(options.shares ?? [])),
      trust: options.trust ?? NO_TRUST,
      tokens: options.tokens ?? NO_SERVICE_TOKENS,
      watched: [],
      storeGood: storeGood.memory,
      reusePort: false,
    },
    { ...FORWARD_LIMITS, ...options.limits },
  );
  const { port } = gate;
  await agents?.connect(new URL(`${settings.tls ? 'https' : 'http'}://tunnel.share.localhost:${port}`));
  return {
    port,
    settings,
    seal,
    said,
    tell,
    storeGood: storeGood.tell,
    questions: () =>
      said.flatMap((message) =>
        message.type === 'question' &&
        message.question.ask !== 'tunnel' &&
        message.question.ask !== 'certificate' &&
        message.question.ask !== 'challenge' &&
        message.question.ask !== 'provider'
          ? [message.question]
          : [],
      ),
    audits: () => said.flatMap((message) => (message.type === 'audit' ? message.events : [])),
    login: (share, more = {}) => {
      const login = sealedLogin(seal, { share, secure: settings.publicUrl.scheme === 'https', more });
      states.set(login.session.id, login.state);
      return login;
    },
    end: ({ state }) => {
      const ended = { ...state, ended: true };
      states.set(state.id, ended);
      tell({ type: 'sessions', states: [ended] });
    },
    call: async (call) => {
      await agents?.settled();
      return await callGate(port, call);
    },
    raw: (bytes, quietMs = 500) => rawCall(port, bytes, quietMs),
    close: async () => {
      await agents?.stop();
      await gate.close();
    },
  };
}

const NOBODY: WorkerAnswer = { kind: 'refused', code: 'api_key_invalid', message: 'Nobody', hint: null };

export function testSettings(more: Partial<GateSettings> = {}): GateSettings {
  return {
    bind: { host: '127.0.0.1', port: 0 },
    tls: false,
    publicUrl: { scheme: 'http', domain: 'share.localhost', port: 80 },
    endpointUrl: 'http://auth.share.localhost',
    cookieName: COOKIE_NAME,
    cookieDomain: 'share.localhost',
    intermediateLifetimeMs: 300_000,
    keys: [TEST_KEYS],
    assertionKey: { ...assertionKey(TEST_KEYS.signingKey) },
    trustedProxies: [],
    forwardAuth: null,
    directTargets: ['127.0.0.0/8', '::1'],
    ownListeners: [],
    identityHeaderPrefix: 'svc-auth-',
    inside: [],
    controlCertificates: null,
    tunnel: { host: 'tunnel.share.localhost', workers: 1, atGateway: true, listener: null },
    brand: { name: 'Doorward', logo: null, contact: null },
    outageGraceMs: 3_600_000,
    accessLog: true,
    ...more,
  };
}

type SessionInput = {
  readonly share: Share;
  readonly secure: boolean;
  readonly more: Partial<Session & SessionState> & { binding?: string };
};

/** A session in a sealed cookie, and the state that belongs to it. */
export function sealedLogin(seal: Seal, { share, secure, more }: SessionInput): TestLogin {
  const binding = more.binding ?? 'a-binding-cookie-of-22';
  const id = more.id ?? newId('ses');
  const session: Session = {
    id,
    shareId: more.shareId ?? share.id,
    providerGeneration:
      more.providerGeneration ?? share.login?.providers[0]?.provider?.generation ?? TEST_PROVIDER.generation,
    email: more.email ?? 'ada@example.com',
    expiresAt: more.expiresAt ?? Math.floor(Date.now() / 1000) * 1000 + 6 * 3_600_000,
    bindingHash: more.bindingHash === undefined ? (secure ? shortHash(binding) : null) : more.bindingHash,
  };
  const state: SessionState = {
    id,
    subject: more.subject ?? 'subject-1',
    checkedAt: more.checkedAt ?? Date.now(),
    refreshable: more.refreshable ?? true,
    confirmed: more.confirmed ?? true,
    ended: more.ended ?? false,
  };
  const bound = secure ? `; ${BINDING_NAME}=${binding}` : '';
  return { session, state, cookie: `${COOKIE_NAME}=${sealSessions(seal, [session])}${bound}` };
}

/** One HTTP/1.1 request on a connection of its own, at any port of loopback. */
export async function callGate(port: number, call: TestCall): Promise<TestAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TestAnswer>();
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port,
      agent: false,
      // As browsers have it, and not the 16 KiB of Node.
      maxHeaderSize: 256 * 1024,
      method: call.method ?? 'GET',
      path: call.path ?? '/',
      headers: { host: call.host, ...(call.headers as Record<string, string | string[]> | undefined) },
    },
    (response) => {
      text(response)
        .then((body) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            trailers: response.trailers,
            body,
          }),
        )
        .catch(reject);
    },
  );
  request.on('error', reject);
  request.end(call.body);
  return await promise;
}

function rawCall(port: number, bytes: string, quietMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = '';
  const socket = createConnection({ port, host: '127.0.0.1' });
  // Counted in looks, since a process that is kept from its work for a while was not waiting for an answer
  // meanwhile.
  let quiet = 0;
  const looks = setInterval(() => {
    if (++quiet === QUIET_LOOKS) socket.destroy();
  }, quietMs / QUIET_LOOKS);
  socket.on('data', (chunk) => {
    quiet = 0;
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(looks);
    resolve(heard);
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  return promise;
}

const QUIET_LOOKS = 10;
