// What a change changed: a field a row, what was there and what is there now. Who hears it hears which is
// which.

import { Fragment } from 'react';
import type { AuditChangeObject } from '../../../src/wire/audit-event.ts';
import { changeLines } from './change-lines.ts';

export function Changes({ changes }: { readonly changes: AuditChangeObject }) {
  const { secrets, omitted, before } = changes;
  const fields = changeLines(changes);
  if (fields.length === 0 && secrets.length === 0 && omitted === 0) return null;
  return (
    <section className="changes">
      <h3 id="changes-title">Changes</h3>
      <ul aria-labelledby="changes-title">
        {fields.map(({ name, removed, added, kept }) => (
          <li key={name}>
            <code className="changes-name">{name}</code>
            {removed.map((text) => (
              <Line key={text} kind="removed" text={text} />
            ))}
            {added.map((text) => (
              <Line key={text} kind="added" text={text} />
            ))}
            {kept > 0 && <p className="soft">{kept === 1 ? '1 value stays' : `${kept} values stay`}</p>}
          </li>
        ))}
        {secrets.map((name) => (
          <li key={name}>
            <code className="changes-name">{name}</code>
            <p>{before === null ? 'Set' : 'Changed'}. The value is recorded nowhere.</p>
          </li>
        ))}
      </ul>
      {omitted > 0 && (
        <p className="soft">
          {omitted === 1 ? 'One value is' : `${omitted.toLocaleString('en')} values are`} left out or
          shortened.
        </p>
      )}
    </section>
  );
}

function Line({ kind, text }: { readonly kind: 'removed' | 'added'; readonly text: string }) {
  const said = (
    <Fragment>
      <span className="unseen">{kind === 'removed' ? 'Before: ' : 'After: '}</span>
      {text}
    </Fragment>
  );
  return kind === 'removed' ? <del>{said}</del> : <ins>{said}</ins>;
}
