// Some of the providers that a share can use, chosen by their display names.

import type { ReactNode } from 'react';
import { Boxes } from '../parts/boxes.tsx';
import { useProviderTitles } from '../parts/use-providers.ts';

type ProviderBoxesProps = {
  readonly label: string;
  readonly help: string | undefined;
  readonly fault: string | undefined;
  readonly chosen: readonly string[];
  readonly change: (lines: string) => void;
  /** Beside the boxes. */
  readonly children?: ReactNode;
};

export function ProviderBoxes({ label, help, fault, chosen, change, children }: ProviderBoxesProps) {
  const { choices } = useProviderTitles();
  return (
    <Boxes
      label={label}
      help={help}
      fault={fault}
      known={choices}
      // One that is gone is shown as what it is.
      unknown={(name) => `${name} (there is no such provider)`}
      chosen={chosen}
      change={(names) => change(names.join('\n'))}
    >
      {children}
    </Boxes>
  );
}
