// Below /console/people: members and API keys.

import { Tabs } from '../parts/tabs.tsx';
import { hrefTo } from '../router.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { KeysPage } from './keys-page.tsx';
import { MembersPage } from './members-page.tsx';

export function PeopleArea({ path }: AreaProps) {
  const [page = 'members', ...more] = path;
  if (more.length > 0 || (page !== 'members' && page !== 'keys')) return <NothingHere />;
  return (
    <>
      <Tabs
        label="People"
        tabs={[
          { title: 'Members', href: hrefTo('people'), current: page === 'members' },
          { title: 'API keys', href: hrefTo('people', 'keys'), current: page === 'keys' },
        ]}
      />
      {page === 'members' ? <MembersPage /> : <KeysPage />}
    </>
  );
}
