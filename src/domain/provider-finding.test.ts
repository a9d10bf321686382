import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, passes, warns } from './check.ts';
import { providerState, testFinding, trialFinding } from './provider-finding.ts';

test('testFinding() keeps what did not pass, the worst first, and no more than some kilobytes', () => {
  const long = 'x'.repeat(10_000);
  const many = Array.from({ length: 50 }, (_, index) => fails(`check ${index}`, long, long));
  assert.deepEqual(testFinding([passes('a', 'fine')]).checks, []);
  const found = testFinding([passes('a', 'fine'), warns('b', 'perhaps', 'look'), fails('c', 'no', 'mend')]);
  assert.deepEqual([found.passed, found.checks.map(({ name }) => name)], [false, ['c', 'b']]);
  assert.ok(JSON.stringify(testFinding(many)).length < 20_000);
});

test('trialFinding() keeps whom the provider named, or the code of what went wrong', () => {
  assert.deepEqual(trialFinding({ kind: 'person', email: 'ann@a.b' }), {
    passed: true,
    email: 'ann@a.b',
    reason: null,
    checks: [],
  });
  const failed = trialFinding({ kind: 'fault', code: 'provider_error', detail: '' });
  assert.deepEqual([failed.passed, failed.reason, failed.checks], [false, 'provider_error', []]);
});

test('providerState() goes by the newest finding about the settings of now', () => {
  assert.equal(providerState(null, null).text, 'not tested');
  assert.equal(providerState(at(1, true), null).text, 'test passed');
  assert.equal(providerState(at(2, false), at(1, true)).text, 'test failed');
  assert.equal(providerState(at(1, false), at(2, true)).text, 'login works');
  assert.equal(providerState(at(1, true), at(2, false)).text, 'trial failed');
  assert.equal(providerState(at(1, true, true), at(2, true, true)).text, 'changed since the test');
  assert.equal(providerState(at(1, true), at(2, false, true)).text, 'test passed');
});

function at(day: number, passed: boolean, isOutdated = false) {
  return { at: `2026-01-0${day}T00:00:00Z`, passed, isOutdated };
}
