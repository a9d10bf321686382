// Below /console/certificates: certificates, the tokens that become some, and the authority that signs.

import { hrefTo, Link } from '../router.tsx';
import { type AreaProps, NothingHere } from '../shell/pages.tsx';
import { AuthorityPage } from './authority-page.tsx';
import { InventoryPage } from './inventory-page.tsx';
import { TokensPage } from './tokens-page.tsx';

const PAGES = {
  inventory: { title: 'Certificates', Page: InventoryPage },
  tokens: { title: 'Request tokens', Page: TokensPage },
  authority: { title: 'Authority', Page: AuthorityPage },
} as const;

export function CertificatesArea({ path }: AreaProps) {
  const [name = 'inventory', ...more] = path;
  if (more.length > 0 || !isPage(name)) return <NothingHere />;
  const { Page } = PAGES[name];
  return (
    <>
      <nav className="tabs" aria-label="Certificates">
        {Object.entries(PAGES).map(([each, { title }]) => (
          <Link
            key={each}
            href={hrefTo('certificates', each)}
            aria-current={each === name ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Page />
    </>
  );
}

function isPage(name: string): name is keyof typeof PAGES {
  return Object.hasOwn(PAGES, name);
}
