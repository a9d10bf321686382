// Members of the account: who they are, what they may, and the invitations that are open.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MEMBER_ORDERS } from '../../../src/domain/list-orders.ts';
import type { InvitedMember, MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { type RowAct, RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { Link } from '../router.tsx';
import { useMay, useMember } from '../shell/session-context.ts';
import { ChangeRole } from './change-role.tsx';
import { Invitation } from './invitation.tsx';
import { InviteForm } from './invite.tsx';
import { isLastAdmin } from './last-admin.ts';
import { inviteAgain, memberName, removeMembers } from './member-acts.tsx';
import { ByProvider } from '../parts/provider-name.tsx';

export function MembersPage() {
  const { member: me } = useMember();
  const mayChange = useMay()('members.write');
  const queries = useQueryClient();
  const [made, setMade] = useState<InvitedMember | null>(null);
  const [changing, change] = useState<MemberObject | null>(null);
  const [sort, listSort] = useSort(MEMBER_ORDERS);
  const list = useList(['members', 'list', sort], (cursor) =>
    client.members.list({ sort, cursor, limit: PAGE }),
  );
  const invited = (invitation: InvitedMember) => {
    setMade(invitation);
    void queries.invalidateQueries({ queryKey: ['members'] });
  };
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({
    nameOf: memberName,
    listKey: ['members'],
    left: (items, asked) => {
      chosen.keep(items, asked);
      // Their keys went with them.
      void queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  const isMe = ({ id }: MemberObject) => id === me.id;
  // Who is not listed yet may be an admin, too.
  const isLast = (member: MemberObject) => list.more === null && isLastAdmin(member, list.items);
  const remove = removeMembers({ isMe, isLast });
  // Whoever removes themselves is gone before the others are.
  const removeOthers = { ...remove, isFor: (member: MemberObject) => !isMe(member) && !isLast(member) };
  const invitations = [inviteAgain(true, invited), inviteAgain(false, invited)];
  const menuOf = (member: MemberObject): readonly RowAct[] => [
    { label: 'What they can open', href: personAccessHref({ email: member.email }) },
    ...rowActs(invitations, member, ask),
    ...(isLast(member)
      ? []
      : [{ label: 'Change role', run: () => change(member) }, ...rowActs([remove], member, ask)]),
  ];
  const columns: readonly Column<MemberObject>[] = [
    {
      title: 'Address',
      kind: 'address',
      sort: 'email',
      cell: (member) => <Name member={member} isMe={isMe(member)} />,
    },
    ...COLUMNS,
  ];
  const actions: Column<MemberObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (member) => <RowMenu about={member.email} acts={menuOf(member)} />,
  };
  const last = list.items.find(isLast);
  return (
    <>
      <PageHead
        title="Members"
        about="People who manage this account. They log in with an identity provider; visitors of shares need no membership."
      >
        {mayChange && <InviteForm invited={invited} />}
      </PageHead>
      <ListTotal>{totalText(list, { one: 'member' })}</ListTotal>
      <ActBar chosen={chosen} acts={[removeOthers]} ask={ask} />
      <ListView
        list={list}
        label="Members"
        id={({ id }) => id}
        nameOf={memberName}
        sort={listSort}
        {...(mayChange ? { chosen } : {})}
        columns={mayChange ? [...columns, actions] : columns}
        empty={
          <Empty icon="people" title="No members yet">
            <p>Invite somebody: they get a link and log in with a provider.</p>
          </Empty>
        }
      />
      {last !== undefined && (
        <p className="soft">
          {last.email} is the only active admin: make somebody else an admin first to change this.
        </p>
      )}
      {dialog}
      {changing !== null && <ChangeRole member={changing} close={() => change(null)} />}
      {made !== null && <Invitation made={made} close={() => setMade(null)} />}
    </>
  );
}

function Name({
  member: { email, provider },
  isMe,
}: {
  readonly member: MemberObject;
  readonly isMe: boolean;
}) {
  return (
    <>
      <Link href={personAccessHref({ email })} title={email}>
        {email}
      </Link>
      {isMe && ' (you)'}
      {provider !== null && <ByProvider name={provider} />}
    </>
  );
}

const COLUMNS: readonly Column<MemberObject>[] = [
  { title: 'Role', kind: 'state', cell: ({ role }) => role },
  { title: 'State', cell: (member) => <MemberState member={member} /> },
  {
    title: 'Last login',
    sort: 'last_login',
    isLastFirst: true,
    kind: 'time',
    cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} />,
  },
  {
    title: 'Added',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'laptop',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
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
