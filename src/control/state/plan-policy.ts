// The certificate policy of a state: the whole of it is meant.

import { OPEN_POLICY } from '../../domain/certificate.ts';
import { recordedChange } from '../change-note.ts';
import { parsePolicy } from '../certificates/input.ts';
import { policyObject } from '../certificates/view.ts';
import { differences, judged, type Planning } from './planning.ts';
import { policyModified } from '../certificates/note.ts';

export async function planPolicy({ deps, caller, snapshot, state, found }: Planning): Promise<void> {
  const { certificatePolicy: before } = snapshot;
  const { certificatePolicy: said } = state;
  if (said === undefined || before === null) return;
  await judged(found, 'state.certificatePolicy', () => {
    const wanted = parsePolicy(said, OPEN_POLICY);
    const fields = differences(policyObject(before.policy), policyObject(wanted));
    const thing = { kind: 'certificate policy', name: 'certificate policy' } as const;
    if (fields.length === 0) return void found.unchanged.push(thing);
    found.steps.push({
      at: 'write policy',
      change: { action: 'change', ...thing, fields },
      run: () =>
        recordedChange(
          deps,
          caller,
          () => deps.store.cas.setPolicy(caller.accountId, wanted, before.version),
          () => policyModified(before.policy, wanted),
        ),
    });
  });
}
