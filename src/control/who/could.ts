// What the gate's evaluator says of somebody, as the API answers it.

import type { CouldOpen } from '../../domain/known-person.ts';
import type { Share } from '../../domain/share.ts';
import type { CouldGetIn } from '../../wire/who.ts';
import type { TitleOf } from '../../domain/rule-sentence.ts';
import { detailOf } from '../shares/try-detail.ts';

export function couldGetIn(share: Share, { asked, found }: CouldOpen, titleOf: TitleOf): CouldGetIn {
  const { outcome, rule } = found;
  const detail = detailOf(share, { found, facts: asked, titleOf });
  return { outcome, detail, rule: rule === null ? null : String(rule) };
}
