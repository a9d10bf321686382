// Whether an agent serves a share that runs elsewhere.

import type { ShareObject } from '../../../src/wire/share.ts';
import { Badge } from '../parts/badge.tsx';
import { isServed } from './share-words.ts';

export function ServedBadge({ share }: { readonly share: ShareObject }) {
  if (share.tunnel === null || !share.enabled) return null;
  return isServed(share, Date.now()) ? <Badge good>served</Badge> : <Badge tone="warn">no agent</Badge>;
}
