// Below /console/certificates: certificates, the tokens that become some, the authority that signs, and the
// account's rules.

import { Tabs } from '../parts/tabs.tsx';
import { hrefTo } from '../router.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { AuthorityPage } from './authority-page.tsx';
import { CertificatePage } from './certificate-page.tsx';
import { InventoryPage } from './inventory-page.tsx';
import { NewTokenPage } from './new-token-page.tsx';
import { RulesPage } from './rules-page.tsx';
import { TokenListPage } from './token-list-page.tsx';
import { TokensPage } from './tokens-page.tsx';
import './certificates.css';

export function CertificatesArea({ path }: AreaProps) {
  const [name, id, ...more] = path;
  if (more.length > 0) return <NothingHere />;
  if (name === 'tokens' && id === 'new') return <NewTokenPage />;
  if (name === 'tokens' && id === 'list') return <TokenListPage />;
  if (id !== undefined) return <NothingHere />;
  if (name !== undefined && !isPage(name)) return <CertificatePage id={name} />;
  const { Page } = PAGES[name ?? 'inventory'];
  return (
    <>
      <Tabs
        label="Certificates"
        tabs={Object.entries(PAGES).map(([each, { title }]) => ({
          title,
          href: each === 'inventory' ? hrefTo('certificates') : hrefTo('certificates', each),
          current: each === (name ?? 'inventory'),
        }))}
      />
      <Page />
    </>
  );
}

const PAGES = {
  inventory: { title: 'Certificates', Page: InventoryPage },
  tokens: { title: 'Request tokens', Page: TokensPage },
  authority: { title: 'Certificate authority', Page: AuthorityPage },
  rules: { title: 'Rules', Page: RulesPage },
} as const;

function isPage(name: string): name is keyof typeof PAGES {
  return Object.hasOwn(PAGES, name);
}
