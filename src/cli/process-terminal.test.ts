import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsColours } from './process-terminal.ts';

test('showsColours() on a terminal alone, and not where NO_COLOR or FORCE_COLOR say so (The person’s view)', () => {
  assert.equal(showsColours({ isTTY: true }, { TERM: 'xterm' }), true);
  assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '' }), true);
  assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '1' }), false);
  assert.equal(showsColours({ isTTY: true }, { TERM: 'dumb' }), false);
  assert.equal(showsColours({}, { TERM: 'xterm' }), false);
  assert.equal(showsColours({}, { FORCE_COLOR: '1' }), true);
  assert.equal(showsColours({}, { FORCE_COLOR: '' }), false);
  assert.equal(showsColours({ isTTY: true }, { FORCE_COLOR: '0' }), false);
  assert.equal(showsColours({ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }), false);
});
