// What the gate would do with somebody, in one word.

import type { CouldGetIn } from '../../../src/wire/who.ts';
import { Badge } from './badge.tsx';

export function CouldBadge({ outcome }: Pick<CouldGetIn, 'outcome'>) {
  const { tone, word } = OUTCOMES[outcome];
  return <Badge tone={tone}>{word}</Badge>;
}

const OUTCOMES = {
  allowed: { tone: 'good', word: 'yes' },
  depends: { tone: 'warn', word: 'depends' },
  refused: { tone: 'bad', word: 'no' },
} as const;
