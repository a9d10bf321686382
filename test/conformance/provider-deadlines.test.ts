// A check of a session has one deadline over all that it asks of a provider (DESIGN "Check interval"): each
// call that a refresh or an identification makes ends with it, whichever of them stalls.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import type { Provider, Tokens } from '../../src/providers/provider.ts';
import { CLIENT, logInAt, providerOf } from '../support/providers/log-in-at.ts';
import { startLoopbackServer } from '../support/providers/loopback-server.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';

const DEADLINE = new Error('the deadline');
const EMAIL = 'ann@example.com';
const refresh = (provider: Provider, tokens: Tokens, signal: AbortSignal): Promise<unknown> =>
  provider.refresh?.(tokens, signal) ?? Promise.resolve('no refresh');
const identify = (provider: Provider, tokens: Tokens, signal: AbortSignal): Promise<unknown> =>
  provider.identify(tokens, signal);

const OPENID_STEPS = [
  { stalls: 'discovery', path: '/.well-known/openid-configuration', answered: 0, ask: refresh },
  { stalls: 'the refresh', path: '/token', answered: 0, ask: refresh },
  { stalls: 'the second way to authenticate', path: '/token', answered: 1, ask: refresh },
  { stalls: 'the key set', path: '/jwks', answered: 0, ask: refresh },
  { stalls: 'discovery', path: '/.well-known/openid-configuration', answered: 0, ask: identify },
  { stalls: 'the user info', path: '/userinfo', answered: 0, ask: identify },
] as const;

for (const { stalls, path, answered, ask } of OPENID_STEPS)
  test(`oidc ${ask.name} ends with its signal while ${stalls} stalls (3, Check interval)`, async (context) => {
    const deadline = new AbortController();
    const held = { after: Infinity };
    const standIn = await startOpenIdStandIn(
      { clients: [{ ...CLIENT, authenticatesBy: 'client_secret_post' }] },
      {
        intercept: (_request, _response, asked) => {
          if (asked !== path || held.after-- > 0) return false;
          deadline.abort(DEADLINE);
          return true;
        },
      },
    );
    context.after(() => standIn.close());
    const { tokens } = await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL);
    const restarted = providerOf({ issuer: standIn.issuer });
    held.after = answered;
    await assert.rejects(ask(restarted, tokens, deadline.signal), endedByDeadline);
  });

for (const ask of [refresh, identify])
  test(`github ${ask.name} ends with its signal while GitHub stalls (3, Check interval)`, async (context) => {
    const deadline = new AbortController();
    const server = await startStallingServer(context, () => deadline.abort(DEADLINE));
    const provider = providerOf({ type: 'github', baseUrl: server, apiUrl: server, scopes: [] });
    const tokens = {
      accessToken: new Secret('access'),
      refreshToken: new Secret('refresh'),
      idToken: null,
      subject: null,
    };
    await assert.rejects(ask(provider, tokens, deadline.signal), endedByDeadline);
  });

/** Not by the dialler's own limit, 10 seconds later. */
function endedByDeadline(error: unknown): boolean {
  assert.ok(error instanceof ServiceError && error.code === 'provider_unreachable', String(error));
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause === DEADLINE) return true;
  return false;
}

async function startStallingServer(context: TestContext, onRequest: () => void): Promise<string> {
  const held = new Set<ServerResponse>();
  const server = await startLoopbackServer({});
  context.after(() => server.close());
  server.handle((_request, response) => {
    held.add(response);
    onRequest();
  });
  return server.origin;
}
