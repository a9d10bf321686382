// What can be done to shares of the list: to one by the menu of its row, to several that are chosen. Each
// change is made onto the version that the list shows; whatever was changed meanwhile stays as it is.

import type { ListedShare } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { rowActs } from '../parts/acts/row-acts.ts';
import { type RowAct, RowMenu } from '../parts/row-menu.tsx';
import { useTell } from '../parts/toast.tsx';

export function shareName({ name }: ListedShare): string {
  return name;
}

export const SHARE_ACTS: readonly Act<ListedShare>[] = [
  {
    label: 'Switch on',
    isFor: ({ enabled }) => !enabled,
    question: (shares) => `Switch on ${which(shares)}?`,
    about: 'Visitors whom the rules let in can open them at once.',
    action: 'Switch on',
    done: (count) => `${counted(count)} on`,
    run: ({ id, etag }) => client.shares.modify(id, { enabled: true }, { ifMatch: etag }),
  },
  {
    label: 'Switch off',
    isFor: ({ enabled }) => enabled,
    question: (shares) => `Switch off ${which(shares)}?`,
    about: 'Visitors get “not found”. Sessions and settings stay.',
    action: 'Switch off',
    done: (count) => `${counted(count)} off`,
    run: ({ id, etag }) => client.shares.modify(id, { enabled: false }, { ifMatch: etag }),
  },
  {
    label: 'Delete',
    isDanger: true,
    question: (shares) => `Delete ${which(shares)}?`,
    about:
      'All sessions there end, and visitors get “not found”. This cannot be undone. The account keeps the names.',
    action: 'Delete',
    done: (count) => (count === 1 ? '1 share was deleted' : `${count} shares were deleted`),
    run: ({ id, etag }) => client.shares.remove(id, { ifMatch: etag }),
  },
];

type ShareMenuProps = {
  readonly share: ListedShare;
  readonly acts: readonly Act<ListedShare>[];
  readonly ask: (act: Act<ListedShare>, shares: readonly ListedShare[]) => void;
};

export function ShareMenu({ share, acts, ask }: ShareMenuProps) {
  const tell = useTell();
  const copy = async () => {
    await navigator.clipboard.writeText(share.url);
    tell('Copied', share.url);
  };
  const items: readonly RowAct[] = [
    { label: 'Open', href: share.url, isOutside: true },
    { label: 'Copy the address', run: copy },
    ...rowActs(acts, share, ask),
  ];
  return <RowMenu about={share.name} acts={items} />;
}

function which(shares: readonly ListedShare[]): string {
  const [first] = shares;
  return shares.length === 1 && first !== undefined ? first.name : `${shares.length} shares`;
}

function counted(count: number): string {
  return count === 1 ? '1 share is' : `${count} shares are`;
}
