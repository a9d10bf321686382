// All access of a person ends with one question, which says how much that is, and an answer of what ended.

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EndedAccessObject, PersonObject } from '../../../src/wire/person.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Note } from '../parts/note.tsx';
import { useMay } from '../shell/session-context.ts';
import { heldItems } from './held-items.ts';

type EndAccessProps = {
  readonly email: string;
  readonly person: PersonObject;
  readonly ended: (result: EndedAccessObject) => void;
};

export function EndAccess({ email, person: { counts, member }, ended }: EndAccessProps) {
  const queries = useQueryClient();
  const may = useMay();
  const [isLost, setLost] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const held = heldItems(counts);
  return (
    <Confirm
      label="End all access"
      title={`End all access of ${email}?`}
      action="End all access"
      run={async () => {
        ended(
          await client.people.endAccess({
            email,
            membership: isLeaving ? 'remove' : 'keep',
            reason: isLost ? 'key_compromise' : 'unspecified',
          }),
        );
        await queries.invalidateQueries();
      }}
      opened={() => {
        setLost(false);
        setLeaving(false);
      }}
    >
      {held.length === 0 ? (
        <p>Nothing is active now. Logins that are in progress end.</p>
      ) : (
        <>
          <p>This ends at once, and cannot be undone:</p>
          <ul className="held">
            {held.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        The rules of shares stay: they can log in again wherever a rule lets them in. To keep them out, change
        those rules.
      </p>
      {counts.certificates > 0 && (
        <Choice label="A device or key was lost" value={isLost} change={setLost}>
          Their keys are blocked, and every certificate of the same key is revoked.
        </Choice>
      )}
      {member !== null && may('members.write') && (
        <Choice label="Remove them from the members" value={isLeaving} change={setLeaving}>
          {counts.serviceTokens === 0
            ? 'They can no longer log in to this console.'
            : `They can no longer log in to this console, and ${serviceTokensOf(counts.serviceTokens)} deleted. Otherwise those keep working.`}
        </Choice>
      )}
    </Confirm>
  );
}

function serviceTokensOf(count: number): string {
  return count === 1
    ? 'the service token that they created is'
    : `the ${count} service tokens that they created are`;
}

type ChoiceProps = {
  readonly label: string;
  readonly value: boolean;
  readonly change: (value: boolean) => void;
  readonly children: string;
};

function Choice({ label, value, change, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="check with-about">
      <input
        id={id}
        type="checkbox"
        checked={value}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => change(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-about`} className="soft">
          {children}
        </p>
      </div>
    </div>
  );
}

/** Stays on the page: what ended is to be read, and perhaps told to somebody. */
export function EndedAccess({ result }: { readonly result: EndedAccessObject }) {
  const { sessions, consoleSessions, certificates, requestTokens, apiKeys, serviceTokens, membership } =
    result;
  const rows: readonly (readonly [string, number, readonly { readonly name: string }[]])[] = [
    ['Sessions ended', sessions, []],
    ['Console sessions ended', consoleSessions, []],
    ['Certificates revoked', certificates.length, certificates],
    ['Certificate request tokens deleted', requestTokens.length, requestTokens],
    ['API keys deleted', apiKeys.length, apiKeys],
  ];
  return (
    <Note tone="good">
      <p>All access was ended.</p>
      <ul className="held">
        {rows.map(([title, count, named]) => (
          <li key={title}>
            {title}: {count}
            {named.length > 0 && ` (${named.map(({ name }) => name).join(', ')})`}
          </li>
        ))}
        {serviceTokens.count > 0 && (
          <li>
            Service tokens {serviceTokens.deleted ? 'deleted' : 'that keep working'}: {serviceTokens.count}
          </li>
        )}
        {membership !== 'none' && <li>Membership: {membership}</li>}
      </ul>
    </Note>
  );
}
