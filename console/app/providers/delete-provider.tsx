// Deletes a definition that no share uses; of one in use it says by which, and leads there.

import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, useRouter } from '../router.tsx';
import { ShareLinks } from './provider-users.tsx';

type DeleteProviderProps = { readonly name: string; readonly shares: number };

export function DeleteProvider({ name, shares }: DeleteProviderProps) {
  const queries = useQueryClient();
  const tell = useTell();
  const { go } = useRouter();
  if (shares > 0) return <InUse name={name} shares={shares} />;
  const remove = async () => {
    try {
      await client.providers.remove(name);
    } catch (error) {
      // A share may use it by now.
      await queries.invalidateQueries({ queryKey: ['providers', name] });
      throw error;
    }
    go(hrefTo('providers'));
    tell(`${name} deleted`);
    await queries.invalidateQueries({ queryKey: ['providers', 'list'] });
  };
  return (
    <Confirm label="Delete" title={`Delete ${name}?`} action="Delete" run={remove}>
      <p>
        Nobody can log in with it, and its sessions end. The account keeps the name. This cannot be undone:
        its client secret is deleted too.
      </p>
    </Confirm>
  );
}

function InUse({ name, shares }: DeleteProviderProps) {
  return (
    <Dialog.Root>
      <Dialog.Trigger className="danger">Delete</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className="dialog-head">
            <Dialog.Title>{name} is in use</Dialog.Title>
            <Dialog.Description>
              It cannot be deleted while shares use it. Give these shares another provider first, or delete
              them:
            </Dialog.Description>
          </div>
          <ShareLinks name={name} shares={shares} />
          <div className="actions">
            <Dialog.Close>Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
