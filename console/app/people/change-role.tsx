// How a member gets another role. It is changed onto the version that the form was opened on.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useTell } from '../parts/toast.tsx';
import { versionAsSeen } from './as-seen.ts';
import { ROLES } from './invite.tsx';
import { ROLE_WORDS } from './key-words.ts';

type ChangeRoleProps = { readonly member: MemberObject; readonly close: () => void };

export function ChangeRole({ member, close }: ChangeRoleProps) {
  const queries = useQueryClient();
  const tell = useTell();
  const { email } = member;
  const [chosen, setChosen] = useState<MemberObject['role'] | null>(null);
  const role = chosen ?? member.role;
  const send = async () => {
    await client.members.modify(member.id, { role }, await versionAsSeen(member));
    tell(`${email} is ${ROLE_WORDS[role]} now`);
    await Promise.all(['members', 'session'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <FormDialog
      close={close}
      title={`Change the role of ${email}`}
      about="It applies immediately, also to their API keys and unused request tokens."
      action="Change role"
      send={send}
    >
      {() => <Choice label="Role" value={role} options={ROLES} change={setChosen} />}
    </FormDialog>
  );
}
