// What a caller could send for a JSON Schema of the API's description, made by fast-check: values that it
// takes, values that mean something to the service more often than chance would have it, and values that it
// does not take.

import * as fc from 'fast-check';
import { anyCharacter } from './any-character.ts';
import { resolved, typesOf, type Components, type JsonSchema } from './json-schema.ts';

/** Values that the schema takes. `name` is what the value is called, which says what may mean something. */
export function valuesOf(given: JsonSchema, components: Components, name = ''): fc.Arbitrary<unknown> {
  const schema = resolved(given, components);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  return fc.oneof(...typesOf(schema).map((type) => valuesOfType(type, schema, { components, name })));
}

/** Values that may be anything: of the schema, nearly of it, or of none. */
export function inputsOf(given: JsonSchema, components: Components, name = ''): fc.Arbitrary<unknown> {
  const schema = resolved(given, components);
  const sound = valuesOf(schema, components, name);
  const anything = fc.jsonValue({ maxDepth: 2 });
  if (!typesOf(schema).includes('object')) return fc.oneof({ weight: 4, arbitrary: sound }, anything);
  const members = Object.entries(schema.properties ?? {}).map(
    ([key, member]): [string, fc.Arbitrary<unknown>] => [key, inputsOf(member, components, key)],
  );
  // Any member may be missing, and others be there.
  const loose = fc
    .tuple(
      fc.record(Object.fromEntries(members), { requiredKeys: [] }),
      fc.dictionary(fc.string(), anything, { maxKeys: 1 }),
    )
    .map(([known, others]) => Object.assign(known, others));
  return fc.oneof({ weight: 4, arbitrary: sound }, { weight: 4, arbitrary: loose }, anything);
}

type About = { readonly components: Components; readonly name: string };

function valuesOfType(type: string, schema: JsonSchema, { components, name }: About): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
  if (type === 'array')
    return fc.array(valuesOf(schema.items ?? {}, components, name), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS),
    });
  if (type === 'string') return textsOf(schema, name);
  if (type !== 'object') throw new Error(`Cannot make values of type ${type}`);
  const members = Object.entries(schema.properties ?? {}).map(
    ([key, member]): [string, fc.Arbitrary<unknown>] => [key, valuesOf(member, components, key)],
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: [...(schema.required ?? [])] });
}

function textsOf({ format, minLength = 0, maxLength = 300, example }: JsonSchema, name: string) {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: LAST_DATE })
      .map((date) => date.toISOString());
  const known = [...(TELLING[name] ?? []), ...(typeof example === 'string' ? [example] : [])];
  const plain = fc.string({ unit: anyCharacter, minLength, maxLength: Math.min(maxLength, MAX_TEXT) });
  const edge = fc.constantFrom('x'.repeat(Math.max(minLength, 1)), 'x'.repeat(maxLength));
  if (known.length === 0) return fc.oneof({ weight: 3, arbitrary: plain }, edge);
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, { weight: 2, arbitrary: plain }, edge);
}

/** Texts that lead further into the service than others, by the name of the member or parameter. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  name: ['alices-share', 'another', 'x', 'auth', 'UPPER', 'a b', 'demo-1'],
  target: ['http://127.0.0.1:3000', 'http://127.0.0.1:8282', 'http://10.0.0.1', 'https://nowhere.invalid'],
  url: ['https://127.0.0.1/hook', 'http://127.0.0.1:1/', 'https://10.0.0.1', 'https://nowhere.invalid/'],
  share: ['alices-share', 'another', 'nobodys'],
  provider: ['alices-provider', 'another', 'test', 'nobodys'],
  oauthProvider: ['test', 'alices-provider', 'nobodys'],
  oauthEmailAddressPatterns: ['*@example.com', '{a,b}@x.test', '[', '**'],
  oauthCheckInterval: ['3h', '90s', '0s', '1h30m', '999999999d'],
  allowOrigins: ['https://app.example.com', 'null', 'https://app.example.com/path'],
  email: ['bob@alice.test', 'carol@example.com', 'not an address', 'a@b@c'],
  member: ['bob@alice.test', 'carol@example.com'],
  host: ['alices.host.example', 'another.host.example', '127.0.0.1', 'x.share.example.com', 'UPPER.example'],
  expiresIn: ['7d', '1s', '0d', '9999d'],
  cursor: ['AA', 'e30', '0', 'Zm9v'],
  issuerUrl: ['https://127.0.0.1/', 'http://127.0.0.1:1', 'https://169.254.169.254'],
  baseUrl: ['https://127.0.0.1', 'https://10.0.0.1'],
  apiUrl: ['https://127.0.0.1/api'],
  discoveryUrl: ['https://127.0.0.1/x?y', 'https://169.254.169.254/x'],
  emailClaim: ['upn', 'two words', '__proto__'],
  trustedAuthorities: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  scopes: ['openid', 'email', 'two words', ''],
  prompt: ['login', 'none', 'login consent', ''],
  ip: ['127.0.0.1', '::1', 'nonsense'],
  since: ['2026-01-01T00:00:00Z', 'yesterday'],
};
const MAX_ITEMS = 4;
const MAX_TEXT = 40;
/** Years of more digits are written otherwise. */
const LAST_DATE = new Date('9999-12-31T23:59:59Z');
