// Seals again under one master key what was sealed under others. Knows no tables.

import type { Secret } from '../../domain/secret.ts';
import { type Sealer, createColumnSeal } from './column-seal.ts';
import type { SealedPlace } from './sealed-columns.ts';

export type Resealed =
  /** It was sealed under that key already. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'resealed'; readonly value: string }
  /** No key at hand opens it. */
  | { readonly kind: 'unreadable' };

export type Resealer = {
  readonly to: Sealer;
  readonly reseal: (place: SealedPlace, sealed: string) => Resealed;
};

/** Seals under `key`; opens with any of `others` too. */
export function createResealer(key: Secret, others: readonly Secret[]): Resealer {
  const target = createColumnSeal(key);
  const sources = others.map((other) => createColumnSeal(other));
  return {
    to: target.first,
    reseal: (place, sealed) => {
      if (opened(() => target.open(place, sealed)) !== null) return { kind: 'kept' };
      for (const source of sources) {
        const text = opened(() => source.open(place, sealed));
        if (text !== null) return { kind: 'resealed', value: target.first.seal(place, text) };
      }
      return { kind: 'unreadable' };
    },
  };
}

function opened(open: () => Secret): Secret | null {
  try {
    return open();
  } catch {
    return null;
  }
}
