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
      <ClashTable clashes={clashes} />
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

/** The roles are said in so many words, as in lists: on phones it is cards. */
function ClashTable({ clashes }: Pick<ConflictNoteProps, 'clashes'>) {
  return (
    <div className="list">
      <table role="table" aria-label="What both of you changed">
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {clashes.map(({ field, before, theirs, mine, by }) => (
            <tr key={field} role="row" data-by={by}>
              <th role="rowheader" scope="row">
                {field}
              </th>
              <td role="cell" data-title="Before">
                {before}
              </td>
              <td role="cell" data-title="Theirs, saved">
                {by === 'me' ? 'not changed' : theirs}
              </td>
              <td role="cell" data-title="Yours">
                {by === 'them' && mine === before ? 'not changed' : mine}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COLUMNS = ['Field', 'Before', 'Theirs, saved', 'Yours'];
