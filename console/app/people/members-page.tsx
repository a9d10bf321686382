// Members of the account: who they are, invitations, roles.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitedMember, MemberObject } from '../../../src/client/member-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';

export function MembersPage() {
  const queries = useQueryClient();
  const tell = useTell();
  const [made, setMade] = useState<InvitedMember | null>(null);
  const list = useList(['members'], (cursor) => client.members.list({ cursor, limit: PAGE }));
  const anew = () => queries.invalidateQueries({ queryKey: ['members'] });
  const setRole = async (member: MemberObject, role: MemberObject['role']) => {
    try {
      await client.members.modify(member.id, { role });
      tell(`${member.email} is ${role === 'admin' ? 'an admin' : 'a member'} now`);
    } catch (error) {
      tell('Nothing was changed', error instanceof Error ? error.message : undefined);
    }
    await anew();
  };
  const columns: readonly Column<MemberObject>[] = [
    { title: 'Address', cell: ({ email }) => email },
    {
      title: 'Role',
      cell: (member) => (
        <select
          aria-label={`Role of ${member.email}`}
          value={member.role}
          onChange={(event) => void setRole(member, event.target.value === 'admin' ? 'admin' : 'member')}
        >
          <option value="member">member</option>
          <option value="admin">admin</option>
        </select>
      ),
    },
    { title: 'State', cell: ({ state }) => <Badge good={state === 'active'}>{state}</Badge> },
    { title: 'Last login', cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} /> },
    {
      title: 'Change',
      cell: (member) => (
        <span className="row">
          <button
            type="button"
            onClick={() =>
              void client.members
                .invite(member.id)
                .then(setMade, (error: Error) => tell('No invitation was made', error.message))
            }
          >
            Invite anew
          </button>
          <Confirm
            label="Remove"
            title={`Remove ${member.email}?`}
            action="Remove"
            run={() => client.members.remove(member.id).then(anew)}
          >
            <p>Their login here ends at once, and their API keys go with them.</p>
          </Confirm>
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Members" />
      <Invite made={(invited) => (setMade(invited), anew())} />
      <ListView list={list} label="Members" id={({ id }) => id} columns={columns} empty={null} />
      {made !== null && (
        <ShownOnce
          title={`Invitation for ${made.member.email}`}
          text={made.invitation.url}
          label="the invitation"
          close={() => setMade(null)}
        >
          <p className="soft">
            Send it over a secure channel. It is good until{' '}
            {new Date(made.invitation.expiresAt).toLocaleString()}.
          </p>
        </ShownOnce>
      )}
    </>
  );
}

function Invite({ made }: { readonly made: (invited: InvitedMember) => unknown }) {
  const [email, setEmail] = useState('');
  const send = async () => {
    made(await client.members.create({ email }));
    setEmail('');
  };
  return (
    <Form action="Invite" send={send}>
      {(faults) => (
        <Field
          label="Invite somebody"
          help="They log in with a provider, under this address."
          fault={faults['email']}
        >
          {(control) => (
            <input
              {...control}
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      )}
    </Form>
  );
}

const PAGE = 100;
