// Below /console/shares.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { hrefTo } from '../router.tsx';
import { HostsPage } from './hosts-page.tsx';
import { NewSharePage } from './new-share-page.tsx';
import { SharePage } from './share-page.tsx';
import { SharesPage } from './shares-page.tsx';
import './shares.css';

export function SharesArea({ path }: AreaProps) {
  const [name, ...more] = path;
  if (more.length > 0) return <NothingHere />;
  if (name === undefined || name === HOSTS)
    return (
      <>
        <Tabs
          label="Shares"
          tabs={[
            { title: 'Shares', href: hrefTo('shares'), current: name === undefined },
            { title: 'Host names', href: hrefTo('shares', HOSTS), current: name === HOSTS },
          ]}
        />
        {name === undefined ? <SharesPage /> : <HostsPage />}
      </>
    );
  return name === NEW ? <NewSharePage /> : <SharePage key={name} name={name} />;
}

/** No share can have these names: names are reserved words, or begin otherwise. */
const NEW = '+new';
const HOSTS = '+hosts';
