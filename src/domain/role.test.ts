import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isRoleAtLeast,
  KEY_SCOPES,
  lesserRights,
  loginRights,
  mayServeTunnels,
  type Role,
  ROLES,
} from './role.ts';

test('lesserRights() is never more than the key, nor than its member', () => {
  for (const role of ROLES)
    for (const scope of KEY_SCOPES)
      for (const of of ROLES) {
        const both = lesserRights({ role, scope }, of);
        const text = `${role} ${scope} of ${of}: ${both.role} ${both.scope}`;
        const all = [
          { role, scope },
          { ...loginRights(of), scope: scope === 'tunnel' ? scope : loginRights(of).scope },
        ];
        assert.ok(!mayServeTunnels(both) || all.every(mayServeTunnels), text);
        const reads = (rights: typeof both) =>
          rights.scope !== 'tunnel' && isRoleAtLeast(rights.role, 'admin');
        assert.ok(!reads(both) || all.every(reads), text);
        assert.ok(
          both.scope !== 'full' || (scope === 'full' && role !== 'auditor' && of !== 'auditor'),
          text,
        );
      }
});

test('lesserRights() of a member’s full key reads as a member while its member is an auditor, and of a tunnel key is nothing', () => {
  assert.deepEqual(lesserRights({ role: 'member', scope: 'full' }, 'auditor'), {
    role: 'member',
    scope: 'read',
  });
  assert.deepEqual(lesserRights({ role: 'auditor', scope: 'read' }, 'member'), {
    role: 'member',
    scope: 'read',
  });
  assert.deepEqual(lesserRights({ role: 'admin', scope: 'full' }, 'auditor'), {
    role: 'auditor',
    scope: 'read',
  });
  assert.deepEqual(lesserRights({ role: 'admin', scope: 'full' }, 'admin'), { role: 'admin', scope: 'full' });
  assert.equal(mayServeTunnels(lesserRights({ role: 'member', scope: 'tunnel' }, 'auditor')), false);
});

test('a role of a later version may nothing, whatever it is held against', () => {
  const later = 'owner' as Role;
  assert.ok(!isRoleAtLeast(later, 'member'));
  assert.ok(!mayServeTunnels({ role: later, scope: 'full' }));
  for (const role of ROLES) {
    assert.ok(!isRoleAtLeast(lesserRights({ role: later, scope: 'full' }, role).role, 'member'));
    assert.ok(!isRoleAtLeast(lesserRights({ role, scope: 'full' }, later).role, 'member'));
  }
});
