// Members of the account: who they are, what they may, and the invitations that are open.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitedMember, MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { Link } from '../router.tsx';
import { useMay, useMember } from '../shell/session-context.ts';
import { ChangeRole } from './change-role.tsx';
import { Invitation } from './invitation.tsx';
import { InviteAgain, InviteForm } from './invite.tsx';
import { isLastAdmin } from './last-admin.ts';
import { RemoveMember } from './remove-member.tsx';
import { ByProvider } from '../parts/provider-name.tsx';

export function MembersPage() {
  const { member: me } = useMember();
  const mayChange = useMay()('members.write');
  const queries = useQueryClient();
  const [made, setMade] = useState<InvitedMember | null>(null);
  const list = useList(['members'], (cursor) => client.members.list({ cursor, limit: PAGE }));
  const invited = (invitation: InvitedMember) => {
    setMade(invitation);
    void queries.invalidateQueries({ queryKey: ['members'] });
  };
  // Who is not listed yet may be an admin, too.
  const isLast = (member: MemberObject) => list.more === null && isLastAdmin(member, list.items);
  const columns: readonly Column<MemberObject>[] = [
    {
      title: 'Address',
      cell: (member) => <Name member={member} isMe={member.id === me.id} isLast={isLast(member)} />,
    },
    ...COLUMNS,
  ];
  const actions: Column<MemberObject> = {
    title: 'Change',
    kind: 'actions',
    cell: (member) => (
      <span className="row">
        <InviteAgain member={member} invited={invited} />
        {!isLast(member) && (
          <>
            <ChangeRole member={member} />
            <RemoveMember member={member} isMe={member.id === me.id} />
          </>
        )}
      </span>
    ),
  };
  return (
    <>
      <PageHead
        title="Members"
        about="People who manage this account. They log in with an identity provider; visitors of shares need no membership."
      >
        {mayChange && <InviteForm invited={invited} />}
      </PageHead>
      <ListView
        list={list}
        label="Members"
        id={({ id }) => id}
        columns={mayChange ? [...columns, actions] : columns}
        empty={
          <Empty icon="people" title="No members yet">
            <p>Invite somebody: they get a link and log in with a provider.</p>
          </Empty>
        }
      />
      {made !== null && <Invitation made={made} close={() => setMade(null)} />}
    </>
  );
}

type NameProps = { readonly member: MemberObject; readonly isMe: boolean; readonly isLast: boolean };

function Name({ member: { email, provider }, isMe, isLast }: NameProps) {
  return (
    <>
      <Link href={personAccessHref({ email })}>{email}</Link>
      {isMe && ' (you)'}
      {provider !== null && <ByProvider name={provider} />}
      {isLast && (
        <span className="under">the only active admin: make somebody else an admin first to change this</span>
      )}
    </>
  );
}

const COLUMNS: readonly Column<MemberObject>[] = [
  { title: 'Role', cell: ({ role }) => role },
  { title: 'State', cell: (member) => <MemberState member={member} /> },
  { title: 'Last login', cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} /> },
];

function MemberState({ member: { state, invitedUntil } }: { readonly member: MemberObject }) {
  if (state === 'active' && invitedUntil === null) return <Badge tone="good">active</Badge>;
  const isOpen = invitedUntil !== null && Date.parse(invitedUntil) > Date.now();
  return (
    <>
      <Badge tone={state === 'active' ? 'good' : isOpen ? 'warn' : 'neutral'}>
        {state === 'active' ? 'active' : isOpen ? 'invited' : 'invitation expired'}
      </Badge>
      {isOpen && (
        <span className="under">
          link expires <Moment at={invitedUntil} />
        </span>
      )}
    </>
  );
}

const PAGE = 100;
