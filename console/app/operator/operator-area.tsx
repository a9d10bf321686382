// Below /console/operator: all accounts and gateways, for those whom the configuration names. Nothing of what
// an account holds is here, and nothing is changed.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { hrefTo } from '../router.tsx';
import { AccountPage } from './account-page.tsx';
import { AccountsPage } from './accounts-page.tsx';
import { GatewaysPage } from './gateways-page.tsx';

export function OperatorArea({ path }: AreaProps) {
  const [page = 'accounts', account, ...more] = path;
  if (more.length > 0) return <NothingHere />;
  if (account !== undefined) return page === 'accounts' ? <AccountPage account={account} /> : <NothingHere />;
  if (page !== 'accounts' && page !== 'gateways') return <NothingHere />;
  return (
    <>
      <Tabs
        label="Operator"
        tabs={[
          { title: 'Accounts', href: hrefTo('operator'), current: page === 'accounts' },
          { title: 'Gateways', href: hrefTo('operator', 'gateways'), current: page === 'gateways' },
        ]}
      />
      {page === 'accounts' ? <AccountsPage /> : <GatewaysPage />}
    </>
  );
}
