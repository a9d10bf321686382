// The browser changed to another account in another tab: this page is of the one before, and stays as it is
// behind the question. Nothing that is done on it happens in the other account; its calls are refused.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeAccount } from '../api/accounts.ts';
import type { ConsoleSession } from '../api/client.ts';
import { ProblemNote } from '../parts/problem-note.tsx';

type AccountChangedProps = {
  /** Of the page. */
  readonly before: ConsoleSession['account'];
  readonly now: ConsoleSession['account'];
};

export function AccountChanged({ before, now }: AccountChangedProps) {
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const goBack = async () => {
    try {
      await changeAccount(before.id);
      await queries.invalidateQueries();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>This browser changed accounts</AlertDialog.Title>
          <AlertDialog.Description render={<div className="stack" />}>
            <p>
              This page shows <strong>{before.name}</strong>. In another tab, you changed to{' '}
              <strong>{now.name === '' ? 'your own access' : now.name}</strong>. Nothing on this page works
              until you choose.
            </p>
          </AlertDialog.Description>
          {error !== null && <ProblemNote error={error} />}
          <div className="actions">
            <button type="button" onClick={() => location.assign('/console/')}>
              Open {now.name === '' ? 'your own access' : now.name}
            </button>
            {before.id !== '' && (
              <button type="button" className="primary" onClick={() => void goBack()}>
                Change back to {before.name}
              </button>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
