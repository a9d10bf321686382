// A secret that is shown only once: copied or lost.

import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { CodeBlock } from './copy-text.tsx';
import { UntilDone } from './until-done.tsx';

type ShownOnceProps = {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly children?: ReactNode;
  readonly close: () => void;
};

export function ShownOnce({ title, text, label, children, close }: ShownOnceProps) {
  return (
    <UntilDone
      title={title}
      about="It is shown only once. Copy it now."
      done={<Dialog.Close className="primary">I have copied it</Dialog.Close>}
      close={close}
    >
      <CodeBlock text={text} label={label} />
      {children}
    </UntilDone>
  );
}
