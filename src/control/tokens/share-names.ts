// What the shares that tokens are for are called now.

import type { ShareId } from '../../domain/id.ts';
import type { ShareTable } from '../../store/shares/share.ts';
import type { ServiceTokenRow } from '../../store/tokens/service-token.ts';

/** Nothing for a share that is gone. */
export type ShareNames = (id: ShareId) => string | undefined;

export async function shareNamesOf(
  shares: ShareTable,
  rows: readonly Pick<ServiceTokenRow, 'shareIds'>[],
): Promise<ShareNames> {
  const ids = new Set(rows.flatMap(({ shareIds }) => shareIds));
  const names = new Map((await shares.findByIds([...ids])).map(({ id, name }) => [id, name]));
  return (id) => names.get(id);
}
