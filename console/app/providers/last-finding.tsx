// What the last test or trial of a provider found, who made it and when, and whether it still counts.

import { FAULTS } from '../../../src/domain/service-error.ts';
import type { ProviderFindingObject } from '../../../src/wire/provider.ts';
import { Actor } from '../parts/actor.tsx';
import { Note } from '../parts/note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { Words } from '../parts/words.tsx';

export function LastFinding({ found }: { readonly found: ProviderFindingObject }) {
  const { at, actor, passed, checks, isOutdated } = found;
  return (
    <Note tone={isOutdated || !passed ? 'warn' : 'good'}>
      <span>
        <Verdict found={found} />, <Moment at={at} />, by <Actor name={actor} />.
        {isOutdated && <strong> The settings changed since: try again.</strong>}
      </span>
      {checks.length > 0 && (
        <ul>
          {checks.map(({ name, found: text, next }) => (
            <li key={`${name} ${text}`}>
              <strong>{name}:</strong> <Words text={text} />
              {next !== null && (
                <>
                  {'. '}
                  <Words text={next} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

function Verdict({ found: { passed, email, reason } }: { readonly found: ProviderFindingObject }) {
  if (email !== null)
    return (
      <>
        The login works: <strong>{email}</strong> came back
      </>
    );
  if (reason !== null) return <>The login did not work: {titleOf(reason)}</>;
  return passed ? 'The test passed' : 'The test failed';
}

function titleOf(reason: string): string {
  return Object.hasOwn(FAULTS, reason) ? FAULTS[reason as keyof typeof FAULTS].title.toLowerCase() : reason;
}
