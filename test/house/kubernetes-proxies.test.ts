// examples/forward-auth/kubernetes: manifests as YAML, and in them the headers that Doorward answers with.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { namesOf } from '../../src/gateway/forward-auth/every-identity.ts';

type Tree = { readonly [name: string]: Tree } & readonly Tree[] & string;

const FOLDER = join(import.meta.dirname, '../../examples/forward-auth/kubernetes');
/** What the 200 has to be copied from it. */
const COPIED = [...namesOf('svc-auth-'), 'cookie', 'authorization'].toSorted();

test('ingress-nginx.yaml: its questions, and every header of their answers', () => {
  const objects = objectsIn('ingress-nginx.yaml');
  const annotation = (name: string) =>
    objects.get('Ingress app')?.['metadata']?.['annotations']?.[`nginx.ingress.kubernetes.io/${name}`];
  assert.match(String(annotation('auth-url')), /\/\.svc\/authorize\/nginx$/);
  assert.deepEqual(sorted(String(annotation('auth-response-headers')).split(', ')), COPIED);
  assert.equal(annotation('auth-cache-key'), undefined);
  const secret = objects.get('ConfigMap question-secret')?.['data'];
  assert.equal(secret?.['svc-auth-secret'], 'REPLACE_WITH_THE_SECRET');
  const controller = objects.get('ConfigMap ingress-nginx-controller')?.['data'];
  assert.match(String(controller?.['server-snippet']), /if \(\$http_host != \$host\) \{ return 421; \}/);
  assert.equal(objects.get('ConfigMap no-overrides')?.['data']?.['svc-auth-secret'], '');
});

test('traefik.yaml: its questions, and every header of their answers', () => {
  const objects = objectsIn('traefik.yaml');
  const asking = objects.get('Middleware ask-doorward')?.['spec']?.['forwardAuth'];
  assert.match(String(asking?.['address']), /\/\.svc\/authorize\/traefik$/);
  assert.equal(String(asking?.['trustForwardHeader']), 'false');
  assert.deepEqual(sorted(listOf(asking?.['authResponseHeaders'])), COPIED);
  const [route] = objects.get('IngressRoute app')?.['spec']?.['routes'] ?? [];
  assert.deepEqual(
    [...(route?.['middlewares'] ?? [])].map((middleware) => middleware['name']),
    ['question-secret', 'ask-doorward', 'no-overrides'],
  );
  const removed = objects.get('Middleware no-overrides')?.['spec']?.['headers']?.['customRequestHeaders'];
  assert.equal(removed?.['svc-auth-secret'], '');
});

test('envoy-gateway.yaml: its questions, and every header of their answers', () => {
  const objects = objectsIn('envoy-gateway.yaml');
  const asking = objects.get('SecurityPolicy ask-doorward')?.['spec']?.['extAuth'];
  assert.equal(asking?.['http']?.['path'], '/.svc/authorize/envoy');
  assert.equal(String(asking?.['failOpen']), 'false');
  assert.deepEqual(sorted(listOf(asking?.['http']?.['headersToBackend'])), COPIED);
  const early = objects.get('ClientTrafficPolicy shares')?.['spec']?.['headers']?.['earlyRequestHeaders'];
  const removed = listOf(early?.['remove']);
  assert.deepEqual(
    namesOf('svc-auth-').filter((name) => !removed.includes(name)),
    [],
  );
  const routes = [...objects].filter(([key]) => key.startsWith('HTTPRoute '));
  assert.equal(routes.length, 3);
  for (const [key, route] of routes)
    for (const rule of route['spec']?.['rules'] ?? []) {
      const [filter] = rule['filters'] ?? [];
      assert.ok(listOf(filter?.['requestHeaderModifier']?.['remove']).includes('svc-auth-secret'), key);
    }
});

/** By kind and name; each is sound YAML and says what it is. */
function objectsIn(file: string): ReadonlyMap<string, Tree> {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'));
  assert.ok(Array.isArray(documents));
  return new Map(
    documents.map((document) => {
      assert.deepEqual([...document.errors, ...document.warnings], []);
      const object = document.toJS() as Tree;
      const { apiVersion, kind, metadata } = object;
      assert.ok(apiVersion && kind && metadata?.['name'] && metadata['namespace'], file);
      return [`${String(kind)} ${String(metadata['name'])}`, object];
    }),
  );
}

function listOf(tree: Tree | undefined): readonly string[] {
  return [...(tree ?? [])].map(String);
}

function sorted(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase()).toSorted();
}
