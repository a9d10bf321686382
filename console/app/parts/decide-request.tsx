// A request for access is granted for a time, or dismissed. Somebody else may have decided meanwhile: that is
// told, and changes nothing.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ServiceError } from '../../../src/domain/service-error.ts';
import type { AccessRequestObject } from '../../../src/wire/access-request.ts';
import { client } from '../api/client.ts';
import { Choice } from './choice.tsx';
import { Confirm } from './confirm.tsx';
import { useTell } from './toast.tsx';

type DecideRequestProps = {
  readonly request: AccessRequestObject;
  /** Called with the request while a question about it is open. */
  readonly hold: (request: AccessRequestObject | null) => void;
};

export function DecideRequest({ request, hold }: DecideRequestProps) {
  const [lasting, setLasting] = useState<Lasting>('7d');
  const decide = useDecide(request);
  const { id, email } = request;
  const place = request.share ?? 'a deleted share';
  const opened = (isOpen: boolean) => hold(isOpen ? request : null);
  return (
    <>
      <Confirm
        calm
        label="Let in"
        about={`Let in ${email} at ${place}`}
        title={`Let ${email} in at ${place}?`}
        action="Let in"
        opened={opened}
        run={() =>
          decide(
            () => client.accessRequests.grant(id, { for: lasting }),
            `${email} can open ${place} for ${WORDS[lasting]}`,
          )
        }
      >
        <p>
          This adds a rule to the share that allows this address. To end the access early, remove the rule.
        </p>
        <Choice label="For how long" value={lasting} options={OPTIONS} change={setLasting} />
      </Confirm>
      <Confirm
        quiet
        mild
        label="Dismiss"
        about={`Dismiss the request of ${email} for ${place}`}
        title={`Dismiss the request of ${email}?`}
        action="Dismiss"
        opened={opened}
        run={() => decide(() => client.accessRequests.dismiss(id), `The request of ${email} was dismissed`)}
      >
        <p>They are not told, and cannot ask again for 7 days. This cannot be undone.</p>
      </Confirm>
    </>
  );
}

function useDecide({ email }: AccessRequestObject) {
  const queries = useQueryClient();
  const tell = useTell();
  return async (decide: () => Promise<unknown>, done: string) => {
    try {
      await decide();
      tell(done);
    } catch (error) {
      if (!(error instanceof ServiceError) || !DECIDED.has(error.code)) throw error;
      tell('Someone else already decided', `The request of ${email} is no longer open. Nothing was changed.`);
    }
    await Promise.all(
      ['access-requests', 'shares'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    );
  };
}

type Lasting = keyof typeof WORDS;

const WORDS = { '1d': '1 day', '7d': '7 days', '30d': '30 days' } as const;
const OPTIONS = (['1d', '7d', '30d'] as const).map((value) => ({ value, title: WORDS[value] }));
/** By somebody else, or swept away since, with its share or for its age. */
const DECIDED: ReadonlySet<string> = new Set(['access_request_decided', 'access_request_unknown']);
