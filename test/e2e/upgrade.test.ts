// An upgrade from the version before and back, on both engines: the short form of
// `node scripts/soak.ts upgrade`.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { upgradeFleet, upgradeSingle } from '../soak/upgrade.ts';
import { NGINX } from '../support/gateway-fleet.ts';
import { layOutVersion, missingVersion, VERSION_BEFORE } from '../support/version-before.ts';

const MISSING = missingVersion(VERSION_BEFORE);

test(
  'three gateways are upgraded one by one, one is rolled back and upgraded again, while all serve: nobody is logged out, nothing is lost (DESIGN 3)',
  { skip: MISSING === false && !existsSync(NGINX) ? 'nginx is not installed' : MISSING },
  async () => {
    using before = layOutVersion(VERSION_BEFORE);
    const { starts, answers, rows } = await upgradeFleet({
      from: before.program,
      back: before.program,
      answers: 2,
      workers: 1,
      rolledBack: 1,
      restMs: 250,
    });
    assert.equal(starts, 8);
    assert.ok(answers > 150 && rows > 50, `${answers} answers, ${rows} rows`);
  },
);

test(
  'a gateway with SQLite is upgraded, rolled back and upgraded again: nobody is logged out, nothing is lost (DESIGN 3)',
  { skip: MISSING },
  async () => {
    using before = layOutVersion(VERSION_BEFORE);
    const { starts, rows } = await upgradeSingle({ from: before.program, back: before.program });
    assert.equal(starts, 5);
    assert.ok(rows > 50, `${rows} rows`);
  },
);
