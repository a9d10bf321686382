// Waits for a share that a command makes elsewhere, and leads to it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShareObject } from '../../../src/wire/share.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { client } from '../api/client.ts';
import { hrefTo, Link } from '../router.tsx';
import { isServed } from './share-words.ts';

/** `name` is empty for a share that gets a name when it is made. */
export function AwaitedShare({ name }: { readonly name: string }) {
  const [since] = useState(() => Date.now());
  const before = useQuery({ queryKey: ['audit', 'made', since], queryFn: newestMade, staleTime: Infinity });
  const found = useQuery({
    queryKey: ['shares', 'awaited', name, since],
    queryFn: () => (name === '' ? madeAfter(before.data ?? null) : namedShare(name)),
    enabled: before.isSuccess,
    refetchInterval: LOOK_MS,
  });
  const share = found.data ?? null;
  return (
    <p className="awaited" aria-live="polite">
      {share === null ? (
        <>
          <span className="pulse" aria-hidden="true" /> Waiting for the command. The share appears here as
          soon as it is up.
        </>
      ) : isServed(share, Date.now()) ? (
        <>
          <strong>{share.name} is up.</strong> <Link href={hrefTo('shares', share.name)}>See the share</Link>
        </>
      ) : (
        <>
          <Link href={hrefTo('shares', share.name)}>{share.name}</Link> exists, and is waiting for the
          command.
        </>
      )}
    </p>
  );
}

async function namedShare(name: string): Promise<ShareObject | null> {
  try {
    return await client.shares.show(name);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'share_unknown') return null;
    throw error;
  }
}

/** The share that was made last, by the log; the one of another moment than `before`. */
async function madeAfter(before: string | null): Promise<ShareObject | null> {
  const made = await newestMade();
  return made === null || made === before ? null : namedShare(made);
}

async function newestMade(): Promise<string | null> {
  const { items } = await client.auditEvents.list({ kind: ['share.created'], order: 'newest', limit: 1 });
  return items[0]?.shareId ?? null;
}

const LOOK_MS = 2_000;
