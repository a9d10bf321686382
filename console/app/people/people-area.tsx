// Below /console/people: members and API keys.

import { hrefTo, Link } from '../router.tsx';
import { type AreaProps, NothingHere } from '../shell/pages.tsx';
import { KeysPage } from './keys-page.tsx';
import { MembersPage } from './members-page.tsx';

export function PeopleArea({ path }: AreaProps) {
  const [page = 'members', ...more] = path;
  if (more.length > 0 || (page !== 'members' && page !== 'keys')) return <NothingHere />;
  return (
    <>
      <nav className="tabs" aria-label="People">
        <Link href={hrefTo('people')} aria-current={page === 'members' ? 'page' : undefined}>
          Members
        </Link>
        <Link href={hrefTo('people', 'keys')} aria-current={page === 'keys' ? 'page' : undefined}>
          API keys
        </Link>
      </nav>
      {page === 'members' ? <MembersPage /> : <KeysPage />}
    </>
  );
}
