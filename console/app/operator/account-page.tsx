// One account in figures, and the commands that change its state: those are run on the machine of the
// service.

import { useQuery } from '@tanstack/react-query';
import type { OperatedAccountDetail } from '../../../src/wire/operator.ts';
import { client } from '../api/client.ts';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { limitText, limitTitle } from '../parts/limit-text.ts';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo } from '../router.tsx';
import { AccountState } from './account-state.tsx';

export function AccountPage({ account }: { readonly account: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'account', account],
    queryFn: () => client.operator.account(account),
  });
  return (
    <>
      <PageHead
        title={account}
        about="This account in figures. What it holds is not shown."
        back={{ title: 'Accounts', href: hrefTo('operator') }}
        {...(data === undefined ? {} : { badge: <AccountState state={data.state} /> })}
      />
      {data === undefined && error === null && <Loading what="the account" />}
      {error !== null && <ProblemNote error={error} retry={refetch} />}
      {data !== undefined && <Sections account={data} />}
    </>
  );
}

function Sections({ account }: { readonly account: OperatedAccountDetail }) {
  const { id, name, state, createdAt, lastRequestAt, sessions, limits } = account;
  return (
    <>
      <Panel title="Use">
        <Facts
          facts={[
            { title: 'Last request', value: <Moment at={lastRequestAt} none="none in the last week" /> },
            { title: 'Active sessions', value: sessions.active.toLocaleString('en') },
            { title: 'Created', value: <Moment at={createdAt} /> },
            { title: 'Id', value: <code>{id}</code> },
          ]}
        />
      </Panel>
      <Panel
        title="Limits"
        about="How much this account can have. The configuration sets each limit, for all accounts."
      >
        <Facts facts={limits.map((each) => ({ title: limitTitle(each.limit), value: limitText(each) }))} />
      </Panel>
      <Panel
        title={state === 'active' ? 'Suspend' : 'Resume'}
        about={
          state === 'active'
            ? 'Its shares answer 404, its keys and logins stop working, and sessions end. Run this on the machine of the service:'
            : 'Its shares, keys and logins work again. Run this on the machine of the service:'
        }
      >
        <CodeBlock
          label="the command"
          text={`doorward account ${state === 'active' ? 'suspend' : 'resume'} ${name}`}
        />
      </Panel>
    </>
  );
}
