// Says that somebody else changed the same thing meanwhile, what they did and what was about to be done, and
// lets choose.

import type { Clash } from './conflict.ts';
import './conflict.css';

type ConflictNoteProps = {
  readonly clashes: readonly Clash[];
  readonly takeTheirs: () => void;
  readonly applyMine: () => void;
  readonly isBusy: boolean;
};

export function ConflictNote({ clashes, takeTheirs, applyMine, isBusy }: ConflictNoteProps) {
  return (
    <div className="conflict" role="alert">
      <p>
        <strong>Someone else changed this while you edited it.</strong> Your changes are not saved yet; theirs
        are.
      </p>
      <ul aria-label="What both of you changed">
        {clashes.map((clash) => (
          <ClashItem key={clash.field} clash={clash} />
        ))}
      </ul>
      <p>{outcomeText(clashes)}</p>
      <div className="actions">
        <button type="button" disabled={isBusy} onClick={takeTheirs}>
          Take theirs
        </button>
        <button type="button" className="primary" disabled={isBusy} onClick={applyMine}>
          Apply mine on top
        </button>
      </div>
    </div>
  );
}

function ClashItem({ clash: { field, before, theirs, mine, by } }: { readonly clash: Clash }) {
  const sides = [
    { whose: 'Before', text: before, isChange: false },
    { whose: 'Theirs, saved', text: theirs, isChange: by !== 'me' },
    { whose: 'Yours', text: mine, isChange: mine !== before },
  ];
  return (
    <li data-by={by}>
      <strong>{field}</strong>
      <dl>
        {sides.map(({ whose, text, isChange }) => (
          <div key={whose} data-change={isChange}>
            <dt>{whose}</dt>
            <dd>{isChange || whose === 'Before' ? text || 'nothing' : 'not changed'}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function outcomeText(clashes: readonly Clash[]): string {
  const both = clashes.filter(({ by }) => by === 'both').map(({ field }) => field);
  return both.length === 0
    ? 'You changed different fields: applying yours on top keeps everything.'
    : `Applying yours on top replaces their ${both.join(', ')}, and keeps everything else.`;
}
