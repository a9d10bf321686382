// Says that somebody else changed the same thing meanwhile, what they did and what was about to be done, and lets choose.

import type { Clash } from './conflict.ts';
import './conflict.css';

type ConflictNoteProps = {
  readonly clashes: readonly Clash[];
  readonly takeTheirs: () => void;
  readonly applyMine: () => void;
  readonly isBusy: boolean;
};

export function ConflictNote({ clashes, takeTheirs, applyMine, isBusy }: ConflictNoteProps) {
  const lost = clashes.filter(({ by }) => by === 'both');
  return (
    <div className="problem conflict" role="alert">
      <p>
        <strong>Somebody else changed this while you did.</strong> Nothing of yours is saved yet, and nothing
        of theirs is lost.
      </p>
      <table aria-label="What both of you changed">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">Theirs, saved</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map(({ field, before, theirs, mine, by }) => (
            <tr key={field} data-by={by}>
              <th scope="row">{field}</th>
              <td data-title="Before">{before}</td>
              <td data-title="Theirs, saved">{by === 'me' ? 'not changed' : theirs}</td>
              <td data-title="Yours">{by === 'them' && mine === before ? 'not changed' : mine}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">
        {lost.length === 0
          ? 'No field was changed by both of you: yours on top of theirs keeps everything.'
          : `Yours on top of theirs replaces what they set for ${lost.map(({ field }) => field).join(', ')}, and keeps all else.`}
      </p>
      <div className="actions">
        <button type="button" disabled={isBusy} onClick={takeTheirs}>
          Take theirs
        </button>
        <button type="button" disabled={isBusy} onClick={applyMine}>
          Apply mine on top
        </button>
      </div>
    </div>
  );
}
