// Which page an address shows.

import type { ReactElement } from 'react';
import { Empty } from '../parts/empty.tsx';
import { SharePage } from '../shares/share-page.tsx';
import { SharesPage } from '../shares/shares-page.tsx';

type Area = { readonly name: string; readonly title: string; readonly admins: boolean };

export const AREAS: readonly Area[] = [{ name: 'shares', title: 'Shares', admins: false }];

export function pageOf(path: readonly string[]): ReactElement {
  const [area = 'shares', name] = path;
  if (area === 'shares' && name === undefined) return <SharesPage />;
  if (area === 'shares' && path.length === 2 && name !== undefined)
    return <SharePage key={name} name={name} />;
  return (
    <Empty title="There is nothing here">
      <p>The address may be mistyped, or what it named may be gone.</p>
    </Empty>
  );
}
