// THREATS "Protocol", and "Exhaustion" where a provider does it: a provider, or somebody between, that
// answers wrongly. The provider is right in everything but the one thing that a test names.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { FaultCode } from '../../src/domain/service-error.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { createProvider } from '../../src/providers/create.ts';
import { BUDGET } from '../../src/providers/key-set.ts';
import { CALL_LIMIT_MS, createDialler } from '../../src/providers/dialler.ts';
import type { Provider } from '../../src/providers/provider.ts';
import {
  authorizeAt,
  CLIENT,
  logInAt,
  providerOf,
  providerSettings,
} from '../support/providers/log-in-at.ts';
import { startMisbehavingProvider } from '../support/providers/misbehaving-provider.ts';
import type { Misbehaviour, MisbehavingProvider } from '../support/providers/misbehaving-provider.ts';

const EMAIL = 'ann@example.com';
/**
 * What never answers must be given up after 300 ms here; everything else is far quicker than the usual limit.
 */
const IMPATIENT: ReadonlySet<Misbehaviour> = new Set([
  'token_never_answers',
  'token_drips',
  'keys_never_answer',
  'user_info_never_answers',
  'discovery_never_answers',
]);
const PATIENCE_MS = 8000;
let standIn: MisbehavingProvider;

before(async () => {
  standIn = await startMisbehavingProvider({ clients: [CLIENT] });
});
after(() => standIn.close());

/** With a time limit short enough for tests of providers that never answer; the usual one elsewhere. */
function providerWithin(callLimitMs: number): Provider {
  const { fetch } = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
    callLimitMs,
  });
  return createProvider(providerSettings({ issuer: standIn.issuer }), { fetch, now: Date.now });
}

async function faultOf(misbehaviour: Misbehaviour, callLimitMs: number): Promise<ServiceError> {
  standIn.misbehaviour = misbehaviour;
  try {
    await logInAt(providerWithin(callLimitMs), EMAIL);
  } catch (error) {
    assert.ok(error instanceof ServiceError, inspect(error));
    return error;
  } finally {
    standIn.misbehaviour = null;
  }
  return assert.fail(`${misbehaviour} was accepted`);
}

const REFUSED: Readonly<Record<string, { readonly code: FaultCode; readonly all: readonly Misbehaviour[] }>> =
  {
    'Protocol: signatures that prove nothing': {
      code: 'provider_error',
      all: [
        'alg_none',
        'alg_none_in_mixed_case',
        'alg_missing',
        'hs256_with_public_key',
        'hs256_with_client_secret',
        'key_in_jwk_header',
        'key_in_jku_header',
        'key_of_stranger',
        'unknown_kid',
        'critical_header',
        'flipped_claim',
        'token_of_five_parts',
        'token_of_garbage',
        'metadata_offers_none_and_hmac',
      ],
    },
    'Protocol: id tokens of another login, issuer, client or time': {
      code: 'provider_error',
      all: [
        'nonce_wrong',
        'nonce_missing',
        'issuer_wrong',
        'issuer_missing',
        'audience_wrong',
        'audience_shared_without_azp',
        'azp_wrong',
        'expired',
        'expiry_missing',
        'not_yet_valid',
        'id_token_missing',
      ],
    },
    'Protocol: responses that readers could take apart differently, or that are of another provider (mix-up)':
      {
        code: 'provider_error',
        all: [
          'code_twice',
          'state_twice',
          'any_parameter_twice',
          'response_issuer_wrong',
          'response_issuer_empty',
          'response_with_token',
          'code_missing',
        ],
      },
    'Protocol: metadata of another issuer, or that lead elsewhere': {
      code: 'provider_error',
      all: [
        'metadata_of_another_issuer',
        'metadata_without_keys',
        'authorization_endpoint_is_script',
        'token_endpoint_is_file',
      ],
    },
    'Protocol: answers that are errors, or no answers': {
      code: 'provider_error',
      all: [
        'error_in_200',
        'token_type_unknown',
        'access_token_with_line_break',
        'access_token_no_text',
        'token_is_html',
        'user_info_is_html',
        'discovery_is_html',
      ],
    },
    'Protocol: user info that nobody signed': { code: 'provider_error', all: ['user_info_is_unsigned'] },
    'Protocol: user info of another subject': { code: 'subject_changed', all: ['user_info_of_another'] },
    'Protocol: user info of nobody': { code: 'provider_error', all: ['user_info_without_subject'] },
    'Header smuggling: CR, LF, NUL and length in a subject': {
      code: 'provider_error',
      all: [
        'subject_missing',
        'subject_empty',
        'subject_with_line_break',
        'subject_with_nul',
        'subject_too_long',
        'subject_no_text',
      ],
    },
    'Email and identity: addresses that are none': {
      code: 'email_unusable',
      all: ['email_with_line_break', 'email_with_two_ats', 'email_no_text'],
    },
    'Email and identity: addresses that are not verified': {
      code: 'email_unverified',
      all: ['email_not_verified', 'email_verified_is_no_boolean', 'email_not_verified_in_other_case'],
    },
    'Outbound: endpoints that redirect are not followed': {
      code: 'provider_error',
      all: ['token_redirects', 'keys_redirect', 'user_info_redirects', 'discovery_redirects'],
    },
    'Exhaustion: a provider that never answers': {
      code: 'provider_unreachable',
      all: [
        'token_never_answers',
        'token_drips',
        'keys_never_answer',
        'user_info_never_answers',
        'discovery_never_answers',
      ],
    },
    'Exhaustion: a provider that answers without end': {
      code: 'provider_error',
      all: ['token_never_ends', 'keys_never_end', 'user_info_never_ends', 'discovery_never_ends'],
    },
    'Protocol: tokens that are too large': {
      code: 'provider_token_too_large',
      all: ['access_token_too_long'],
    },
    'Protocol: a provider that is busy is away, not wrong': {
      code: 'provider_rate_limited',
      all: ['token_is_busy'],
    },
    'Protocol: a provider that fails is away, not wrong': {
      code: 'provider_unreachable',
      all: ['token_fails', 'keys_fail', 'user_info_fails', 'discovery_fails'],
    },
  };

for (const [title, { code, all }] of Object.entries(REFUSED))
  describe(title, () => {
    for (const misbehaviour of all)
      test(misbehaviour, { timeout: PATIENCE_MS }, async () => {
        const fault = await faultOf(misbehaviour, IMPATIENT.has(misbehaviour) ? 300 : CALL_LIMIT_MS);
        assert.equal(fault.code, code, fault.message);
      });
  });

test('Protocol: the same provider is accepted when it behaves', async () => {
  const { identity } = await logInAt(providerWithin(CALL_LIMIT_MS), EMAIL);
  assert.equal(identity.email, EMAIL);
});

test('Protocol: unknown kid floods do not make this service ask for keys without end', async () => {
  const provider = providerOf({ issuer: standIn.issuer });
  await logInAt(provider, EMAIL);
  const asked = standIn.counts.jwks;
  standIn.misbehaviour = 'unknown_kid';
  for (let round = 0; round < 3; round++) {
    const logins = Array.from({ length: 10 }, () => logInAt(provider, EMAIL));
    const results = await Promise.allSettled(logins);
    assert.ok(results.every(({ status }) => status === 'rejected'));
  }
  standIn.misbehaviour = null;
  assert.ok(standIn.counts.jwks <= asked + BUDGET, `${standIn.counts.jwks - asked} fetches`);
  await logInAt(provider, EMAIL);
});

test('Protocol: many first logins at once ask for the keys once, and so do many that find none', async () => {
  const provider = providerOf({ issuer: standIn.issuer });
  const asked = standIn.counts.jwks;
  await Promise.all(Array.from({ length: 10 }, () => logInAt(provider, EMAIL)));
  assert.equal(standIn.counts.jwks, asked + 1);
  const unlucky = providerOf({ issuer: standIn.issuer });
  standIn.misbehaviour = 'unknown_kid';
  await Promise.allSettled(Array.from({ length: 10 }, () => logInAt(unlucky, EMAIL)));
  await assert.rejects(logInAt(unlucky, EMAIL), { code: 'provider_error' });
  standIn.misbehaviour = null;
  assert.ok(standIn.counts.jwks <= asked + 1 + BUDGET, `${standIn.counts.jwks - asked} fetches`);
});

test('Protocol: a refresh with an id token of another client, time or key is refused', async () => {
  const provider = providerWithin(CALL_LIMIT_MS);
  const { tokens } = await logInAt(provider, EMAIL);
  for (const misbehaviour of ['audience_wrong', 'azp_wrong'] as const) {
    standIn.misbehaviour = misbehaviour;
    const answer = (await provider.refresh?.(tokens)) ?? null;
    assert.ok(answer !== null && 'refused' in answer, misbehaviour);
    assert.equal(answer.refused, 'id_token_changed', misbehaviour);
  }
  for (const misbehaviour of ['expired', 'alg_none', 'key_of_stranger'] as const) {
    standIn.misbehaviour = misbehaviour;
    await assert.rejects(
      provider.refresh?.(tokens) ?? Promise.resolve(),
      { code: 'provider_error' },
      misbehaviour,
    );
  }
  standIn.misbehaviour = null;
  assert.ok(await provider.refresh?.(tokens));
});

test('Protocol: invalid_grant that comes with status 200 means that the refresh token is no good', async () => {
  const provider = providerWithin(CALL_LIMIT_MS);
  const { tokens } = await logInAt(provider, EMAIL);
  standIn.misbehaviour = 'error_in_200';
  assert.equal(await provider.refresh?.(tokens), null);
  standIn.misbehaviour = null;
});

test('Protocol: no token, secret, code or verifier gets into a fault, however it is printed', async () => {
  const provider = providerWithin(CALL_LIMIT_MS);
  const kinds: readonly Misbehaviour[] = [
    'audience_wrong',
    'alg_none',
    'flipped_claim',
    'token_type_unknown',
    'user_info_of_another',
    'error_in_200',
    'user_info_fails',
    'token_fails',
  ];
  for (const misbehaviour of kinds) {
    const callback = await authorizeAt(provider, EMAIL);
    standIn.misbehaviour = misbehaviour;
    const secrets = [
      CLIENT.clientSecret,
      encodeURIComponent(CLIENT.clientSecret),
      Buffer.from(CLIENT.clientSecret).toString('base64'),
      callback.codeVerifier ?? '',
      callback.nonce,
      callback.url.searchParams.get('code') ?? '',
      'eyJ',
      'at-',
      'rt-',
    ];
    const attempt = provider.exchange(callback).then((tokens) => provider.identify(tokens));
    const fault: unknown = await attempt.then(
      () => assert.fail(misbehaviour),
      (error: unknown) => error,
    );
    standIn.misbehaviour = null;
    const printed = `${inspect(fault, { depth: 20, showHidden: true })} ${JSON.stringify(fault)}`;
    for (const secret of secrets)
      assert.ok(!printed.includes(secret), `${misbehaviour} shows ${secret}: ${printed}`);
    assert.doesNotMatch(printed, /<script>/);
  }
});
