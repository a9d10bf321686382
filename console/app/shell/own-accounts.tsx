// The accounts that the person is a member of, where there are several: the menu at their name leads from one
// to another. The page is loaded anew, so nothing that was read of one account is shown in the other.

import { useQuery } from '@tanstack/react-query';
import { changeAccount, type OwnAccount, readAccounts } from '../api/accounts.ts';
import { Icon } from '../parts/icons.tsx';

export function OwnAccounts() {
  const { data = [] } = useQuery({ queryKey: ['accounts'], queryFn: readAccounts, retry: false });
  if (data.length < 2) return null;
  return (
    <div role="group" aria-label="Accounts">
      {data.map((account) =>
        account.isCurrent ? (
          <p key={account.id} className="menu-item" aria-current="true">
            <Icon name="people" />
            {account.name} <small>{account.role}, now</small>
          </p>
        ) : !account.needsLogin ? (
          <button key={account.id} type="button" className="menu-item" onClick={() => change(account)}>
            <Icon name="people" />
            {account.name} <small>{account.role}</small>
          </button>
        ) : (
          <a key={account.id} className="menu-item" href={account.login}>
            <Icon name="people" />
            {account.name} <small>log in</small>
          </a>
        ),
      )}
      <hr className="menu-line" />
    </div>
  );
}

/** What the service does not take, since an admin there ended your access meanwhile, a login decides. */
function change({ id, login }: OwnAccount): void {
  changeAccount(id).then(
    () => location.assign('/console/'),
    () => location.assign(login),
  );
}
