// Below /console/shares.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { NewSharePage } from './new-share-page.tsx';
import { SharePage } from './share-page.tsx';
import { SharesPage } from './shares-page.tsx';
import './shares.css';

export function SharesArea({ path }: AreaProps) {
  const [name, ...more] = path;
  if (name === undefined) return <SharesPage />;
  if (more.length > 0) return <NothingHere />;
  return name === NEW ? <NewSharePage /> : <SharePage key={name} name={name} />;
}

/** No share can have this name: names are reserved words, or begin otherwise. */
const NEW = '+new';
