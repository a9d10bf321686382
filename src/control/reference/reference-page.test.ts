// GET /docs: all of the description, readable and harmless, and examples that do what they show.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { apiDescription, describedOperations } from '../../../test/support/api-description.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { schemaFaults } from '../../../test/support/json-schema.ts';
import { useLookup } from '../../../test/support/resolver.ts';
import { escapeHtml } from '../../http/page-escape.ts';
import { curlExample } from './curl-example.ts';
import { type Description, placesOf } from './description.ts';
import { referencePage } from './reference-page.ts';

const description = apiDescription();
const ours = description as unknown as Description;
let control: TestControl;
let page: { readonly status: number; readonly headers: Headers; readonly body: string };
before(async () => {
  control = await startControl();
  const answer = await fetch(new URL('/docs', control.url));
  page = { status: answer.status, headers: answer.headers, body: await answer.text() };
});
after(() => control[Symbol.asyncDispose]());

const WHO: Readonly<Record<string, string>> = {
  anyone: 'Requires no key',
  holder: 'Requires a client certificate',
  oneself: 'For anyone who logs in',
  member: 'For members who log in',
  operator: 'For operators, whom the configuration names',
};

function articleOf(id: string): string {
  const found = page.body.split('<article id="').find((part) => part.startsWith(`${id}"`));
  assert.ok(found, `no ${id}`);
  return found.split('</article>')[0] ?? '';
}

test('GET /docs tells every operation with its fields, permission, answers and faults, to anybody (DESIGN 2.5)', () => {
  assert.equal(page.status, 200);
  for (const { path, method, operation } of describedOperations(description)) {
    const text = articleOf(operation.operationId);
    assert.ok(text.includes(`<b>${method}</b> <code>${escapeHtml(path)}</code>`), operation.operationId);
    const permission = String(operation['x-permission']);
    assert.ok(text.includes(WHO[permission] ?? `<code>${permission}</code>`), operation.operationId);
    for (const { name } of operation.parameters ?? []) assert.ok(text.includes(`<code>${name}</code>`), name);
    for (const [status, answer] of Object.entries(operation.responses)) {
      assert.ok(text.includes(`<th scope="row">${status}</th>`), `${operation.operationId} ${status}`);
      for (const [, code] of answer.description.matchAll(/`(\w+)`:/g))
        assert.ok(text.includes(`<code>${code}</code>`), `${operation.operationId} ${code}`);
    }
  }
  for (const [name, { properties = {} }] of Object.entries(description.components.schemas))
    for (const field of Object.keys(properties))
      assert.ok(articleOf(`schema-${name}`).includes(`<code>${field}</code>`), `${name}.${field}`);
  const body = articleOf('createAuthProvider').split('<h4>Body</h4>')[1]?.split('<h4>')[0] ?? '';
  assert.match(body, /<code>config\.clientId<\/code> <b>required<\/b>/);
});

test('GET /docs is a page like ours: no script, a strict policy, every link leads somewhere (issue: Pages)', async () => {
  const { headers, body } = page;
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('cache-control'), 'no-store');
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = String(headers.get('content-security-policy'));
  assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}'`), policy);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  assert.doesNotMatch(body, /<(?:script|iframe|form|object|embed|base)\b|\son\w+=|\sstyle=|javascript:/i);
  const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, 'each id once');
  for (const [, address = ''] of body.matchAll(/<a href="([^"]*)"/g))
    assert.ok(
      address.startsWith('#') ? ids.includes(address.slice(1)) : address === '/openapi.json',
      address,
    );
  const other = await control.call({ path: '/docs', method: 'POST', as: null });
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD']);
});

test('referencePage() escapes whatever the description says', () => {
  const markup = '<script>alert(1)</script> "\' & `<img src=x>`';
  const [place] = placesOf(ours);
  assert.ok(place);
  const operation = { ...place.operation, summary: markup, description: markup };
  const text = referencePage({
    info: { title: markup, description: markup },
    paths: { [`/v1/${markup}`]: { get: operation } },
    components: {
      schemas: { ...ours.components.schemas, Odd: { properties: { [markup]: { example: markup } } } },
    },
  });
  assert.doesNotMatch(text, /<script|<img/);
});

test('every example is a body that its operation takes (DESIGN 2.5)', () => {
  for (const place of placesOf(ours)) {
    const schema = place.operation.requestBody?.content['application/json']?.schema;
    if (schema === undefined) continue;
    const [, body = ''] = /-d '(.*)'$/s.exec(curlExample(place, ours.components.schemas)) ?? [];
    const value: unknown = JSON.parse(body.replaceAll(String.raw`'\''`, "'"));
    assert.deepEqual(
      schemaFaults(schema as object, value, description.components.schemas),
      [],
      place.operation.operationId,
    );
  }
});

test('every example runs in a shell, and is answered as described (DESIGN 2.5)', async (t) => {
  // No name that an example has is looked up outside.
  useLookup(t, () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })));
  const places = placesOf(ours);
  const settings = `DOORWARD_URL=${control.url.origin} DOORWARD_API_KEY=${control.alice.apiKey.reveal()}\n`;
  const script = places
    .map((place) => curlExample(place, ours.components.schemas))
    .map(
      (example) => `${example.replace('curl', `curl -s --noproxy '*' -o /dev/null -w '%{http_code}\\n'`)}\n`,
    )
    .join('');
  const { stdout } = await promisify(execFile)('sh', ['-c', settings + script]);
  const statuses = stdout.trim().split('\n');
  assert.equal(statuses.length, places.length);
  places.forEach(({ operation: { operationId, responses, ...operation } }, index) => {
    // No certificate is shown over plain HTTP, and nobody logged in.
    if (['holder', 'oneself', 'member', 'operator'].includes(operation['x-permission'])) return;
    const status = String(statuses[index]);
    assert.ok(Object.hasOwn(responses, status), `${operationId} answers ${status}`);
    // Nobody of that name may be there; nothing is wrong with the call itself.
    assert.ok(
      !['400', '401', '403', '405', '413', '415'].includes(status),
      `${operationId} answers ${status}`,
    );
  });
  const made = statuses.filter((status) => status.startsWith('2')).length;
  assert.ok(made > places.length / 3, `${made} of ${places.length} are done`);
});
