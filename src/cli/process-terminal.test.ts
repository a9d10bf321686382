import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsColours } from './process-terminal.ts';

test('showsColours() on a terminal alone, and not where NO_COLOR says so (The person’s view)', () => {
  assert.equal(showsColours({ isTTY: true }, { TERM: 'xterm' }), true);
  assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '' }), true);
  assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '1' }), false);
  assert.equal(showsColours({ isTTY: true }, { TERM: 'dumb' }), false);
  assert.equal(showsColours({}, { TERM: 'xterm' }), false);
});
