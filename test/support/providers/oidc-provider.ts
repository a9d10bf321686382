// The certified OpenID provider as a stand-in on loopback: a login page of one field, any email logs in, and
// its accounts, refresh tokens and faults can be changed while it runs. Over plain HTTP by hand: open the
// authorization URL, post `email` to the form, follow. Consent is given without asking.

import { AsyncLocalStorage } from 'node:async_hooks';
import { startLoopbackServer } from './loopback-server.ts';
import type { LoopbackOptions } from './loopback-server.ts';
import { interact } from './provider-interaction.ts';
import { Provider } from './provider-library.ts';
import type { KoaContext } from './provider-library.ts';
import { clientMetadata, providerSettings } from './provider-settings.ts';
import { createProviderStorage } from './provider-storage.ts';

export type OidcClient = {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Public keys: it authenticates by `private_key_jwt` alone. */
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
  readonly redirectUris: readonly string[];
  readonly tokenEndpointAuthMethod?: 'client_secret_basic' | 'client_secret_post';
  readonly backchannelLogoutUri?: string;
  /** Whether its id and logout tokens carry `sid`; no unless said. */
  readonly backchannelLogoutSessionRequired?: boolean;
  readonly postLogoutRedirectUris?: readonly string[];
};

/** Change any field while it runs; the next token and userinfo show it. */
export type OidcAccount = {
  subject: string;
  email: string;
  /** `undefined` leaves the claim out. */
  emailVerified: boolean | string | undefined;
  name: string;
  /** Further claims, in user info and id token as the provider is told to give them. */
  claims: Record<string, unknown>;
  /** Of the next login. */
  acr?: string;
};

/**
 * What happens to refresh requests: `invalid_grant` (400), `server_error` (500), `stall` (no answer until it
 * is set to something else), `drop_answer` (the token is rotated, then the connection breaks before the
 * answer).
 */
export type RefreshFault = 'none' | 'invalid_grant' | 'server_error' | 'stall' | 'drop_answer';

export type OidcProviderOptions = LoopbackOptions & {
  readonly clients: readonly OidcClient[];
  readonly rotateRefreshTokens?: boolean;
  /** `always` (default): with every login; `offline_access`: only with that scope and consent; `never`. */
  readonly refreshTokens?: 'always' | 'offline_access' | 'never';
  readonly requirePkce?: boolean;
  /** Leaves the userinfo endpoint out of the metadata, and puts the email into the id token. */
  readonly withoutUserinfo?: boolean;
  readonly withoutRevocation?: boolean;
  /** What clients may sign their assertions with, in place of all that the library knows. */
  readonly assertionAlgorithms?: readonly string[];
  /** Lifetimes in seconds by model: `{ AccessToken: 60, IdToken: 60, RefreshToken: 3600 }`. */
  readonly ttl?: Readonly<Record<string, number>>;
};

export type OidcProviderStandIn = {
  readonly issuer: string;
  readonly port: number;
  /** The account that this email logs in to; made on first use. */
  readonly account: (email: string) => OidcAccount;
  /** `keys`: whether the key set is answered with 503. */
  readonly faults: { refresh: RefreshFault; keys: boolean };
  readonly counts: {
    authorizations: number;
    /** Requests to the token endpoint, refused ones too. */
    tokenRequests: number;
    codes: number;
    refreshes: number;
    refreshFailures: number;
    revocations: number;
    userinfos: number;
    discoveries: number;
    jwks: number;
  };
  /** Tokens that were sent to the revocation endpoint, in order. */
  readonly revoked: readonly string[];
  /** Query parameters of each authorization request, in order. */
  readonly authorizations: readonly URLSearchParams[];
  readonly addClient: (client: OidcClient) => void;
  readonly close: () => Promise<void>;
};

export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProviderStandIn> {
  const server = await startLoopbackServer(options);
  const accounts = createAccounts();
  const clients = new Map(options.clients.map((client) => [client.clientId, client]));
  const log = createRecord();
  const faults = createFaults(log);
  const route = new AsyncLocalStorage<string>();
  const storage = createProviderStorage(async (model) =>
    model === 'RefreshToken' && route.getStore() === 'token' ? faults.beforeRefresh() : 'found',
  );
  const adapter = (model: string) => {
    const kept = storage(model);
    return model === 'Client'
      ? { ...kept, find: async (id: string) => clientMetadata(clients.get(id)) }
      : kept;
  };
  const provider = new Provider(server.origin, {
    ...providerSettings(options),
    adapter,
    findAccount: accounts.find,
    pairwiseIdentifier: accounts.subject,
  });
  provider.use(async (context, next) => {
    await route.run(context.path === '/token' ? 'token' : 'other', next);
    record(log, context);
    if (context.oidc?.params?.grant_type === 'refresh_token' && faults.state.refresh === 'drop_answer')
      context.req.socket.destroy();
  });
  provider.on('server_error', () => undefined);
  const callback = provider.callback();
  server.handle((request, response) => {
    if (request.url?.startsWith('/interaction/') === true)
      void interact(provider, accounts.of, request, response).catch(() =>
        response.writeHead(400).end('gone'),
      );
    else if (request.url === '/jwks' && faults.state.keys) {
      log.counts.jwks++;
      response.writeHead(503).end();
    } else callback(request, response);
  });
  return {
    issuer: server.origin,
    port: server.port,
    account: accounts.of,
    faults: faults.state,
    counts: log.counts,
    revoked: log.revoked,
    authorizations: log.authorizations,
    addClient: (client) => clients.set(client.clientId, client),
    async close() {
      faults.state.refresh = 'none';
      await server.close();
    },
  };
}

function createAccounts() {
  const accounts = new Map<string, OidcAccount>();
  const of = (email: string): OidcAccount => {
    const known = accounts.get(email);
    if (known !== undefined) return known;
    const account: OidcAccount = {
      subject: `subject-of-${Buffer.from(email).toString('hex').slice(0, 40)}`,
      email,
      emailVerified: true,
      name: email.split('@')[0] ?? email,
      claims: {},
    };
    accounts.set(email, account);
    return account;
  };
  const find = async (_context: unknown, id: string) => ({
    accountId: id,
    async claims() {
      const { email, emailVerified, name, claims } = of(id);
      return {
        ...claims,
        email,
        name,
        ...(emailVerified === undefined ? {} : { email_verified: emailVerified }),
      };
    },
  });
  const subject = async (_context: unknown, id: string) => of(id).subject;
  return { of, find, subject };
}

function createRecord() {
  const counts = {
    authorizations: 0,
    tokenRequests: 0,
    codes: 0,
    refreshes: 0,
    refreshFailures: 0,
    revocations: 0,
    userinfos: 0,
    discoveries: 0,
    jwks: 0,
  };
  const revoked: string[] = [];
  const authorizations: URLSearchParams[] = [];
  return { counts, revoked, authorizations };
}

function record(
  { counts, revoked, authorizations }: ReturnType<typeof createRecord>,
  context: KoaContext,
): void {
  const grant = context.oidc?.params?.grant_type;
  const good = context.status === 200;
  if (context.path === '/token') counts.tokenRequests++;
  if (context.path === '/auth') {
    counts.authorizations++;
    authorizations.push(new URL(context.url, 'http://any').searchParams);
  } else if (context.path === '/token' && grant === 'authorization_code') counts.codes++;
  else if (context.path === '/token' && grant === 'refresh_token' && good) counts.refreshes++;
  else if (context.path === '/token/revocation') {
    counts.revocations++;
    revoked.push(String(context.oidc?.params?.token ?? ''));
  } else if (context.path === '/me') counts.userinfos++;
  else if (context.path === '/jwks') counts.jwks++;
  else if (context.path.startsWith('/.well-known/')) counts.discoveries++;
}

function createFaults({ counts }: ReturnType<typeof createRecord>) {
  const waiting = new Set<() => void>();
  let refresh: RefreshFault = 'none';
  const state = {
    keys: false,
    get refresh() {
      return refresh;
    },
    set refresh(fault: RefreshFault) {
      refresh = fault;
      for (const go of waiting) go();
      waiting.clear();
    },
  };
  const beforeRefresh = async (): Promise<'found' | 'hidden'> => {
    if (refresh !== 'none' && refresh !== 'drop_answer') counts.refreshFailures++;
    if (refresh === 'stall') await new Promise<void>((go) => waiting.add(go));
    if (refresh === 'server_error') throw new Error('the stand-in was told to fail');
    return refresh === 'invalid_grant' ? 'hidden' : 'found';
  };
  return { state, beforeRefresh };
}
