// A spreadsheet reads what events say, and runs none of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { csvHead, csvLine } from './audit-csv.ts';

const EVENT: AuditEventObject = {
  id: 'evt_1',
  at: '2030-01-31T09:00:00.000Z',
  kind: 'login.refused',
  shareId: 'shr_1',
  sessionId: null,
  provider: 'corp',
  email: 'ann@example.com',
  actor: null,
  ip: '192.0.2.1',
  requestId: 'req-1',
  reason: 'a "quoted", reason',
  rule: null,
  result: 'refused',
  changes: { before: null, after: { role: 'admin' }, secrets: [], omitted: 0 },
};

test('csvHead() and csvLine() are a table with every field of an event (RFC 4180)', () => {
  assert.equal(
    csvHead() + csvLine(EVENT),
    '"at","kind","email","actor","ip","provider","shareId","sessionId","reason","requestId","id","result","rule","changes"\r\n' +
      '"2030-01-31T09:00:00.000Z","login.refused","ann@example.com","","192.0.2.1","corp","shr_1","","a ""quoted"", reason","req-1","evt_1","refused","","{""before"":null,""after"":{""role"":""admin""},""secrets"":[],""omitted"":0}"\r\n',
  );
  assert.deepEqual(
    csvHead()
      .replaceAll(/["\r\n]/g, '')
      .split(',')
      .toSorted(),
    Object.keys(EVENT).toSorted(),
  );
});

test('csvLine() makes text of whatever a spreadsheet could take for a formula', () => {
  for (const start of ['=', '+', '-', '@', '|', '%', '\t=', ' =', '\r=', '\n+', '＝', '\u0000='])
    assert.match(csvLine({ ...EVENT, reason: `${start}HYPERLINK("x")` }), /,"'/);
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r'), fc.string(), (start, rest) => {
      assert.ok(
        csvLine({ ...EVENT, email: start + rest })
          .split(',')[2]
          ?.startsWith(`"'`),
      );
    }),
  );
});
