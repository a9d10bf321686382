// The name that a share is made with: it becomes part of an address, and never another account's (DESIGN
// 2.3).

import type { ShareBase } from '../../config/config.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isReservedName, isShareName } from '../../domain/share-name.ts';
import { inputRefused } from '../input-fault.ts';

/**
 * The name as given. Throws `validation_failed` for what is no name, `name_reserved` for one that no share
 * may have.
 */
export function parseNewShareName(text: string, base: ShareBase, ownHosts: readonly string[]): string {
  if (!isShareName(text))
    throw inputRefused([
      { path: 'name', message: 'use 1 to 40 of a-z, 0-9 and -, without - at the start or end' },
    ]);
  if (isReservedName(text, base, ownHosts))
    throw new ServiceError('name_reserved', `Cannot name a share "${text}": that name is reserved`, {
      hint: 'Choose another name.',
    });
  return text;
}
