import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCertificate } from '../../test/support/certificate.ts';
import { chooseContext, createTlsContexts } from './tls-contexts.ts';

test('createTlsContexts() chooses by exact name, then wildcard of one label, else the first (RFC 6066 section 3, RFC 9525 section 6.3)', () => {
  const [own, wild, exact] = [['auth.localhost'], ['*.share.localhost'], ['demo.share.localhost']].map(
    makeCertificate,
  );
  const contexts = createTlsContexts([own!, wild!, exact!]);
  const [ownContext, wildContext, exactContext] = [
    contexts.fallback,
    contexts.forName('other.share.localhost'),
    contexts.forName('demo.share.localhost'),
  ];
  assert.equal(new Set([ownContext, wildContext, exactContext]).size, 3);
  assert.equal(contexts.forName('DEMO.share.localhost'), exactContext);
  assert.equal(contexts.forName('demo.share.localhost.'), exactContext);
  assert.equal(contexts.forName('Other.Share.Localhost.'), wildContext);
  for (const name of ['a.b.share.localhost', 'share.localhost', 'elsewhere', ''])
    assert.equal(contexts.forName(name), ownContext, name);
});

test('createTlsContexts() throws for a first pair that does not fit, and has none without a certificate', () => {
  const none = createTlsContexts([]);
  assert.equal(none.fallback, undefined);
  assert.equal(none.forName('a.localhost'), undefined);
  const [one, other] = [makeCertificate(['a.localhost']), makeCertificate(['a.localhost'])];
  assert.throws(() => createTlsContexts([{ certificate: one.certificate, key: other.key }]));
});

test('chooseContext() tells of a later pair that does not fit, and harms no other name', async () => {
  const [good, one, other] = [['a.localhost'], ['b.localhost'], ['b.localhost']].map(makeCertificate);
  const contexts = createTlsContexts([good!, { certificate: one!.certificate, key: other!.key }]);
  const chosen = (name: string) =>
    new Promise<{ error: Error | null; context: unknown }>((resolve) => {
      const done = (error: Error | null, context?: unknown) => resolve({ error, context });
      chooseContext(() => contexts, { name, awaited: () => null, done });
    });
  assert.ok((await chosen('b.localhost')).error instanceof Error);
  assert.deepEqual(await chosen('a.localhost'), { error: null, context: contexts.fallback });
});

test('chooseContext() waits for a name that has none, and then asks again (DESIGN "Certificates by themselves")', async () => {
  const [first, late] = [['a.localhost'], ['b.localhost']].map(makeCertificate);
  let contexts = createTlsContexts([first!]);
  const come = Promise.withResolvers<void>();
  const asked: string[] = [];
  const chosen = Promise.withResolvers<unknown>();
  const awaited = (name: string) => {
    asked.push(name);
    return come.promise;
  };
  const done = (_error: Error | null, context?: unknown) => chosen.resolve(context);
  chooseContext(() => contexts, { name: 'B.localhost.', awaited, done });
  chooseContext(() => contexts, { name: 'a.localhost', awaited, done: () => undefined });
  assert.deepEqual(asked, ['b.localhost'], 'whoever has one waits for nothing');
  contexts = createTlsContexts([first!, late!]);
  come.resolve();
  const context = await chosen.promise;
  assert.equal(context, contexts.forName('b.localhost'));
  assert.notEqual(context, contexts.fallback);
});
