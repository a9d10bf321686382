// What the gate's evaluator says of somebody, as the API answers it.

import type { CouldOpen } from '../../domain/known-person.ts';
import type { Share } from '../../domain/share.ts';
import type { CouldGetIn } from '../../wire/who.ts';
import { detailOf } from '../shares/try-detail.ts';

export function couldGetIn(share: Share, { asked, found }: CouldOpen): CouldGetIn {
  const { outcome, rule } = found;
  return { outcome, detail: detailOf(share, found, asked), rule: rule === null ? null : String(rule) };
}
