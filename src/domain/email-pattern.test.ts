import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createGlobMachine } from './email-glob-machine.ts';
import { MAX_POSITIONS, parseEmailGlob } from './email-pattern-syntax.ts';
import { compileEmailPattern, matchesAnyPattern, matchingPattern } from './email-pattern.ts';
import { ServiceError } from './service-error.ts';

const TABLE: readonly (readonly [pattern: string, email: string, matches: boolean])[] = [
  ['*@bücher.example', 'ann@bücher.example', true],
  ['*@bücher.example', 'ann@BU\u0308CHER.example', true],
  ['*@bücher.example', 'ann@xn--bcher-kva.example', true],
  ['*@xn--bcher-kva.example', 'ann@bücher.example', true],
  ['*@*.bücher.example', 'ann@mail.bücher.example', true],
  ['*@{bücher,käse}.example', 'ann@käse.example', true],
  ['{a@bücher.example,jörg@b.example}', 'jörg@b.example', true],
  ['*@bücher.example', 'ann@bucher.example', false],
  ['*@bücher.example', 'ann@bücher.example.evil.org', false],
  ['jörg@corp.com', 'jo\u0308rg@corp.com', true],
  ['JO\u0308RG@corp.com', 'jörg@corp.com', true],
  ['jorg@corp.com', 'jörg@corp.com', false],
  ['j?rg@corp.com', 'jörg@corp.com', true],
  ['j[öo]rg@corp.com', 'jörg@corp.com', true],
  ['j[!ö]rg@corp.com', 'jörg@corp.com', false],
  ['j[!ö]rg@corp.com', 'jürg@corp.com', true],
  ['j[!o]rg@corp.com', 'jörg@corp.com', true],
  ['j[a-z]rg@corp.com', 'jörg@corp.com', false],
  ['??@corp.com', '日本@corp.com', true],
  ['?@corp.com', '𝒜@corp.com', false],
  ['*@corp.com', 'ö@corp.com', true],
  ['k*@corp.com', '\u212aate@corp.com', false],
  ['*@corp.com', 'ann@ｃorp.com', false],
  ['*@corp.com', 'a@corp.com', true],
  ['*@corp.com', 'A@CORP.com', true],
  ['*@CORP.com', 'a@corp.COM', true],
  ['*@corp.com', 'a@corp.com.evil.org', false],
  ['*@corp.com', 'a@evil.org@corp.com', false],
  ['*@corp.com', 'attacker@evil.com@corp.com', false],
  ['*', 'a@evil.org@corp.com', false],
  ['*@corp.com', 'a@notcorp.com', false],
  ['*@corp.com', 'a@corpXcom', false],
  ['*@corp.com', 'a@corp.com ', false],
  ['*@corp.com', 'a@corp.com\n', false],
  ['*@corp.com', '@corp.com', false],
  ['*@corp.com', '', false],
  ['ann@*', 'ann@anywhere.example', true],
  ['ann@*', 'joann@anywhere.example', false],
  ['*', 'a@b', true],
  ['?nn@corp.com', 'ann@corp.com', true],
  ['?nn@corp.com', 'nn@corp.com', false],
  ['?nn@corp.com', 'aann@corp.com', false],
  ['{ann,bob}@corp.com', 'bob@corp.com', true],
  ['{ann,bob}@corp.com', 'eve@corp.com', false],
  ['{ann,bob}@corp.com', 'annbob@corp.com', false],
  ['*@{corp,partner}.{com,org}', 'x@partner.org', true],
  ['*@{corp,partner}.{com,org}', 'x@partner.net', false],
  ['*@{,eu.}corp.com', 'x@corp.com', true],
  ['*@{,eu.}corp.com', 'x@eu.corp.com', true],
  ['*@{a,b{c,d{e,f}}}.com', 'x@bdf.com', true],
  ['*@{a,b{c,d{e,f}}}.com', 'x@bd.com', false],
  ['[abc]@corp.com', 'b@corp.com', true],
  ['[abc]@corp.com', 'B@corp.com', true],
  ['[abc]@corp.com', 'd@corp.com', false],
  ['[a-c]x@corp.com', 'Bx@corp.com', true],
  ['[A-C]x@corp.com', 'bx@corp.com', true],
  ['[!a-c]@corp.com', 'd@corp.com', true],
  ['[!a-c]@corp.com', 'A@corp.com', false],
  ['[^a-c]@corp.com', 'b@corp.com', false],
  ['[^a-c]@corp.com', '^@corp.com', true],
  ['[]-]@corp.com', '-@corp.com', true],
  ['[a-]@corp.com', '-@corp.com', true],
  ['[a-]@corp.com', 'b@corp.com', false],
  ['[a\\-c]@corp.com', 'b@corp.com', false],
  ['[a\\-c]@corp.com', '-@corp.com', true],
  ['\\*@corp.com', '*@corp.com', true],
  ['\\*@corp.com', 'a@corp.com', false],
  ['a.b@corp.com', 'aXb@corp.com', false],
  ['(a|b)+@corp.com', 'a@corp.com', false],
  ['(a|b)+@corp.com', '(a|b)+@corp.com', true],
];
for (const [pattern, email, matches] of TABLE) {
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(email)} (DESIGN "Email globs")`, () => {
    assert.equal(matchesAnyPattern([pattern], email), matches);
    assert.equal(compileEmailPattern(pattern).matches(email), matches);
  });
}

test('matchesAnyPattern() lets everybody in without a pattern (contract 3)', () => {
  assert.equal(matchesAnyPattern([], 'a@b'), true);
});

test('matchesAnyPattern() is true when any one of several matches (contract 2.3)', () => {
  assert.equal(matchesAnyPattern(['*@a.com', '*@b.com'], 'x@b.com'), true);
  assert.equal(matchesAnyPattern(['*@a.com', '*@b.com'], 'x@c.com'), false);
});

test('matchesAnyPattern() lets nobody in by a malformed pattern', () => {
  assert.equal(matchesAnyPattern(['[a'], 'a@b'), false);
  assert.equal(matchesAnyPattern(['[a', '*@b'], 'a@b'), true);
});

test('matchesAnyPattern() still answers rightly when more patterns were used than are kept', () => {
  for (let index = 0; index < 25_000; index++)
    assert.ok(matchesAnyPattern([`*@h${index}.com`], `a@h${index}.com`));
  assert.ok(matchesAnyPattern(['*@h0.com'], 'a@h0.com'));
  assert.ok(!matchesAnyPattern(['*@h0.com'], 'a@h1.com'));
});

const MALFORMED = [
  '',
  '[',
  '[a',
  '[]',
  '[!',
  '[!]',
  '[z-a]@corp.com',
  '{a',
  '{a,b',
  '{a,{b}@corp.com',
  'a]@corp.com',
  'a}@corp.com',
  '*@corp.com\\',
  '[a\\',
  '*@a.com,*@b.com',
  '* @corp.com',
  '*@bü*.com',
  '*@*ücher.com',
  '*@{bü,kö}cher.com',
  '*@a{b,ü}.com',
  '*@b\\ücher.com',
  '*@[ü]cher.com',
  '\u212aate@corp.com',
  '“*”@corp.com',
  '[ä-ü]@corp.com',
  '*@corp.com\n',
  '{{{{{a}}}}}@corp.com',
  `*@${'a'.repeat(255)}`,
];
for (const pattern of MALFORMED) {
  test(`compileEmailPattern() refuses ${JSON.stringify(pattern.slice(0, 24))} (DESIGN "Email globs")`, () => {
    assert.throws(
      () => compileEmailPattern(pattern),
      (error) => error instanceof ServiceError && error.code === 'validation_failed',
    );
  });
}

/** A glob as a tree, so that a matcher which shares no code with the real one can judge it. */
type Glob = readonly Piece[];
type Piece =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'run' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly characters: string }
  | { readonly kind: 'choice'; readonly globs: readonly Glob[] };

const character = fc.constantFrom('a', 'b', 'B', '@', '.', '-');
const simplePiece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 4, arbitrary: character.map((c): Piece => ({ kind: 'literal', character: c })) },
  { weight: 1, arbitrary: fc.constant<Piece>({ kind: 'any' }) },
  { weight: 2, arbitrary: fc.constant<Piece>({ kind: 'run' }) },
  fc.record({
    kind: fc.constant('class' as const),
    negated: fc.boolean(),
    characters: fc.string({ unit: fc.constantFrom('a', 'B', '.'), minLength: 1, maxLength: 3 }),
  }),
);
const simpleGlob = fc.array(simplePiece, { maxLength: 4 });
const glob: fc.Arbitrary<Glob> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: simplePiece },
    fc.array(simpleGlob, { minLength: 1, maxLength: 3 }).map((globs): Piece => ({ kind: 'choice', globs })),
  ),
  { minLength: 1, maxLength: 6 },
);
const address = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '-'), minLength: 1, maxLength: 6 }),
    fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.'), minLength: 1, maxLength: 6 }),
  )
  .map(([local, domain]) => `${local}@${domain}`);

function textOf(pieces: Glob): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'literal') return piece.character;
      if (piece.kind === 'any') return '?';
      if (piece.kind === 'run') return '*';
      if (piece.kind === 'class') return `[${piece.negated ? '!' : ''}${piece.characters}]`;
      return `{${piece.globs.map(textOf).join(',')}}`;
    })
    .join('');
}

/** More would be refused. */
function waysOf(pieces: Glob): number {
  return pieces.reduce(
    (ways, piece) =>
      piece.kind === 'choice' ? ways * piece.globs.reduce((sum, each) => sum + waysOf(each), 0) : ways,
    1,
  );
}

/** Every text's rest that remains after the glob matched a beginning of it: slow, and plainly right. */
function rests(pieces: Glob, text: string): readonly string[] {
  const [piece, ...others] = pieces;
  if (piece === undefined) return [text];
  return restsOfPiece(piece, text).flatMap((rest) => rests(others, rest));
}

function restsOfPiece(piece: Piece, text: string): readonly string[] {
  const head = text.charAt(0).toLowerCase();
  if (piece.kind === 'run') return Array.from({ length: text.length + 1 }, (_, index) => text.slice(index));
  if (piece.kind === 'choice') return piece.globs.flatMap((choice) => rests(choice, text));
  if (head === '') return [];
  if (piece.kind === 'literal' && piece.character.toLowerCase() !== head) return [];
  if (piece.kind === 'class' && piece.characters.toLowerCase().includes(head) === piece.negated) return [];
  return [text.slice(1)];
}

test('matchesAnyPattern() agrees with a matcher that tries everything (DESIGN "Email globs")', () => {
  fc.assert(
    fc.property(glob, address, (pieces, email) => {
      fc.pre(waysOf(pieces) <= 64);
      assert.equal(compileEmailPattern(textOf(pieces)).matches(email), rests(pieces, email).includes(''));
    }),
    { numRuns: 2000 },
  );
});

test('a pattern matches an address in both cases alike (DESIGN "Email globs")', () => {
  fc.assert(
    fc.property(glob, address, (pieces, email) => {
      fc.pre(waysOf(pieces) <= 64);
      const pattern = compileEmailPattern(textOf(pieces));
      assert.equal(pattern.matches(email.toUpperCase()), pattern.matches(email.toLowerCase()));
    }),
  );
});

test('compileEmailPattern() answers or throws validation_failed for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab@.*?[]{}!^-,\\ é') }), fc.string(), (text, email) => {
      try {
        assert.equal(typeof compileEmailPattern(text).matches(email), 'boolean');
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'validation_failed');
      }
    }),
    { numRuns: 2000 },
  );
});

test('what a match takes is bounded by the pattern’s words, of which no pattern has many', () => {
  const hard = [
    '*a'.repeat(16),
    '*a'.repeat(128),
    '{a*,*a,{a*,*a}}{a*,*a}{a*,*a}{a*,*a}{a*,*a}b',
    '?'.repeat(256),
    `{${'a,'.repeat(126)}a}`,
  ];
  for (const text of hard) {
    const { words, reads } = createGlobMachine(parseEmailGlob(text));
    assert.ok(words <= MAX_POSITIONS / 32, `${text} fills ${words} words`);
    assert.ok(reads.byteLength <= 32_768, `${text} keeps ${reads.byteLength} bytes`);
  }
});

test('compileEmailPattern() refuses too many runs and choices, and says where', () => {
  const runs = '*a'.repeat(17);
  assert.throws(() => compileEmailPattern(runs), {
    code: 'validation_failed',
    message: /more than 16 "\*"; the one at character 33 is too many/,
  });
  assert.ok(compileEmailPattern('*a'.repeat(16)).matches(`${'a'.repeat(15)}@a`));
  const choices = `x${'{a,b}'.repeat(10)}@corp.com`;
  assert.throws(() => compileEmailPattern(choices), {
    code: 'validation_failed',
    message: /the one at character 32 is too much. Give several patterns instead/,
  });
  assert.throws(() => compileEmailPattern('{a,b,c,d}'.repeat(28)), { code: 'validation_failed' });
  assert.ok(compileEmailPattern(`{${'abc,'.repeat(55)}ann}@example.com`).matches('ann@example.com'));
});

test('a pattern stored before there were limits matches as it did, or nobody', () => {
  const runs = '*a'.repeat(120);
  assert.equal(matchingPattern([runs], `${'a'.repeat(119)}@${'a'.repeat(9)}`), runs);
  assert.equal(matchingPattern([runs], 'a@a'), null);
  assert.equal(matchingPattern(['{a,b}'.repeat(40), '*@b.com'], 'ann@b.com'), '*@b.com');
  assert.equal(matchesAnyPattern([`{*,a}${'{a,b}'.repeat(40)}`], 'a@b'), false);
});
