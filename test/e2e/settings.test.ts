// What an account reads of the operator's configuration, from a service that was started with a real one: of
// all its values, those that concern the account alone.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { onEngines } from '../support/on-engines.ts';
import { startTestService } from '../support/service.ts';

onEngines('the settings of a service', (engine) => {
  test('GET /v1/settings answers no value of the configuration but those that it is there for (THREATS "Tenancy")', async (t) => {
    const service = await startTestService({
      storeUrl: await engine.storeUrl(),
      corp: { display_name: 'Company login', icon: 'building' },
      providers: () => [
        { name: 'hub', type: 'github', client_id: 'hub-client-id', client_secret: 'hub-client-secret' },
      ],
      // No listener is at an address that people are told.
      sections: ({ control }) => ({
        gateway: { trusted_proxies: ['203.0.113.7'], direct_targets: ['127.0.0.0/8'] },
        control: { public_url: `http://console.localhost:${control}` },
        forward_auth: { secret: 'a-secret-of-proxies-which-nobody-may-read' },
        store: { audit_retention: '3d', ended_retention: '5d' },
        brand: { name: 'Acme access', contact: 'help@acme.test' },
        limits: { shares: 321 },
      }),
    });
    t.after(() => service.close());
    const { configuration, ...answer } = await service.client.settings();
    // Of the file, its name and nothing of where it lies.
    assert.deepEqual(configuration, {
      file: 'doorward.yaml',
      chosenBy: 'default',
      readAt: configuration?.readAt,
    });
    assert.deepEqual(
      [answer.lifetimes.sessions, answer.retention, answer.brand],
      [
        '6h',
        { auditEvents: '3d', endedSessions: '5d', webhookDeliveries: '3d' },
        { name: 'Acme access', logo: null, contact: 'help@acme.test' },
      ],
    );
    assert.deepEqual(
      answer.limits.find(({ limit }) => limit === 'shares'),
      { limit: 'shares', used: 0, allowed: 321 },
    );
    assert.deepEqual(answer.providers, [
      { name: 'corp', displayName: 'Company login', icon: 'building', type: 'OIDC' },
      { name: 'hub', displayName: 'hub', icon: null, type: 'GITHUB' },
    ]);
    const configured: unknown = JSON.parse(await readFile(service.configFile, 'utf8'));
    const meant = new Set(texts(answer));
    for (const value of texts(configured)) if (!meant.has(value)) withheld(value, answer);
    for (const { value, path } of leaves(configured))
      if (meant.has(value)) assert.match(path, READ_BY_ACCOUNTS, `${path} is answered`);
    for (const value of [service.folder, service.configFile, service.apiKey, '127.0.0.1', 'sqlite:'])
      withheld(value, answer);
    for (const value of texts(answer)) assert.doesNotMatch(value, /^(?:\.{0,2}\/|[a-z]:\\|file:|postgres)/i);
  });
});

/** Members of the configuration whose value an account reads. */
const READ_BY_ACCOUNTS =
  /^(?:gateway\.public_url|oauth\.(?:endpoint_url|cookie_domain|session_lifetime)|oauth\.providers\.\d+\.(?:name|display_name|icon|type)|control\.public_url|store\.(?:audit|ended)_retention|brand\.\w+)$/;

/** Not as a part of anything either, if it is long enough to be told from chance. */
function withheld(value: string, answer: unknown): void {
  if (value.length < LEAST_TOLD) return;
  for (const text of texts(answer)) assert.ok(!text.includes(value), `${text} contains ${value}`);
}

type Leaf = { readonly path: string; readonly value: string };

function leaves(tree: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof tree === 'string') return [{ path: path.join('.'), value: tree }];
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => leaves(value, [...path, key]));
}

function texts(tree: unknown): readonly string[] {
  return leaves(tree).map(({ value }) => value);
}

const LEAST_TOLD = 6;
