// Switches a share off and on, with a way back.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { client } from '../api/client.ts';
import { useTell } from '../parts/toast.tsx';

export function ShareSwitch({ share }: { readonly share: Versioned<ShareObject> }) {
  const queries = useQueryClient();
  const tell = useTell();
  const { enabled } = share.value;
  const turn = async (onto: Versioned<ShareObject>, on: boolean) => {
    const { id, name } = onto.value;
    await client.shares.modify(id, { enabled: on }, { ifMatch: onto.etag });
    await queries.invalidateQueries({ queryKey: ['shares'] });
    // It is done, whether or not it can be read again: without its version there is only no way back.
    const now = await client.shares.read(id).catch(() => null);
    const undo =
      now === null ? undefined : { label: 'Undo', run: () => change.mutate({ onto: now, on: !on }) };
    tell(on ? `${name} is on` : `${name} is off: visitors get “not found”`, undefined, undo);
  };
  const change = useMutation({
    mutationFn: ({ onto, on }: { readonly onto: Versioned<ShareObject>; readonly on: boolean }) =>
      turn(onto, on),
    onError: async (error) => {
      const isKept = error instanceof ServiceError && error.extra['stored'] === true;
      tell(isKept ? 'Saved, but not live yet' : 'Nothing was changed', error.message);
      await queries.invalidateQueries({ queryKey: ['shares'] });
    },
  });
  return (
    <button
      type="button"
      disabled={change.isPending}
      onClick={() => change.mutate({ onto: share, on: !enabled })}
    >
      {enabled ? 'Switch off' : 'Switch on'}
    </button>
  );
}
