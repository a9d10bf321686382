import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNSET_SETTINGS } from '../../domain/share-values.ts';
import { guarded, settingsIn } from './ruled-columns.ts';
import { columnsOf } from './setting-columns.ts';
import { LISTED_COLUMNS, routedOnce, sharedSettings } from './shared-settings.ts';

const columns = guarded(UNSET_SETTINGS, columnsOf(UNSET_SETTINGS));

test('sharedSettings() reads the same columns once, whatever else the row has', () => {
  const first = sharedSettings({ ...columns, name: 'a' } as typeof columns);
  assert.deepEqual(first, settingsIn(columns));
  assert.equal(sharedSettings({ ...columns, name: 'b' } as typeof columns), first);
});

test('sharedSettings() holds once what the gateway has, whatever people are told of a share', () => {
  const rules = [{ allow: { everyone: true } }] as const;
  const row = guarded({ ...UNSET_SETTINGS, rules }, columnsOf({ ...UNSET_SETTINGS, rules }));
  const told = (icon: string): typeof row => ({ ...row, icon, listed: 0 }) as unknown as typeof row;
  const [one, two] = [sharedSettings(told('A')), sharedSettings(told('B'))];
  assert.deepEqual([one.icon, two.icon, one.listed], ['A', 'B', false]);
  assert.equal(one.rules, two.rules);
  assert.deepEqual(sharedSettings(row), settingsIn(row));
});

test('routedOnce() is the same object for all rows that are alike to the gateway', () => {
  const told = { ...columns, icon: 'A', owner: 'mem_1', listed: 0 } as unknown as typeof columns;
  assert.equal(routedOnce(listed(told)), routedOnce(listed(columns)));
  assert.equal(routedOnce(listed(told).replaceAll(',', ', ')), routedOnce(listed(columns)));
  assert.deepEqual(routedOnce(listed(told)), settingsIn(columns));
  assert.notEqual(routedOnce(listed(withColumn('host_header', 'x'))), routedOnce(listed(columns)));
});

test('sharedSettings() tells columns apart that differ in any one of them, or in where a value stands', () => {
  const rows = [
    columns,
    ...Object.keys(columns).map((column) => withColumn(column, '["x"]')),
    ...Object.keys(columns).map((column) => withColumn(column, null)),
    { ...columns, host_header: ',3 a', oauth_provider: null } as typeof columns,
    { ...columns, host_header: null, oauth_provider: ',3 a' } as typeof columns,
    { ...columns, host_header: '1' } as typeof columns,
    { ...columns, host_header: 'null' } as typeof columns,
  ];
  for (const row of [...rows, ...rows]) {
    let wanted: unknown;
    try {
      wanted = settingsIn(row);
    } catch {
      continue;
    }
    assert.deepEqual(sharedSettings(row), wanted);
  }
});

function listed(row: typeof columns): string {
  return JSON.stringify(LISTED_COLUMNS.map((column) => row[column]));
}

function withColumn(column: string, value: string | null): typeof columns {
  return { ...columns, [column]: value };
}
