// Values of the configuration, each with where it was read.

import type { ReactNode } from 'react';
import { Facts } from '../parts/facts.tsx';
import { type Origins, OriginText } from './origin-text.tsx';

export type SettingFact = {
  /** The place of the value in the answer. */
  readonly setting: string;
  readonly title: string;
  readonly value: ReactNode;
};

type SettingFactsProps = { readonly facts: readonly SettingFact[]; readonly origins: Origins };

export function SettingFacts({ facts, origins }: SettingFactsProps) {
  return (
    <Facts
      facts={facts.map(({ setting, title, value }) => ({
        title,
        value: (
          <span className="setting-value">
            <span>{value}</span>
            <OriginText origin={origins.get(setting)} />
          </span>
        ),
      }))}
    />
  );
}
