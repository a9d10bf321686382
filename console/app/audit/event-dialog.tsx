// One event with all that is known of it, and links to what it is about. Which one stands in the address.

import { Dialog } from '@base-ui/react/dialog';
import type { MouseEvent, ReactNode } from 'react';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Changes } from './changes.tsx';
import { ResultBadge } from './result-badge.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { hrefTo, Link, useQueryValue, useRouter } from '../router.tsx';
import { kindText, reasonText } from '../parts/audit-text.ts';
import { personAccessHref } from '../parts/person-access.ts';
import { Moment } from '../parts/time-text.tsx';
import { actorLabel, type Names, shareLabel } from '../parts/use-names.ts';
import { ProviderName } from '../parts/provider-name.tsx';

type EventLinkProps = { readonly event: AuditEventObject; readonly children: ReactNode };

export function EventLink({ event, children }: EventLinkProps) {
  const { place } = useRouter();
  const [, open] = useQueryValue('event');
  const query = new URLSearchParams(place.query);
  query.set('event', event.id);
  const follow = (click: MouseEvent) => {
    if (click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    click.preventDefault();
    open(event.id);
  };
  return (
    <a href={`?${query}`} onClick={follow}>
      {children}
    </a>
  );
}

type EventDialogProps = { readonly events: readonly AuditEventObject[]; readonly names: Names };

export function EventDialog({ events, names }: EventDialogProps) {
  const [id, show] = useQueryValue('event');
  const event = events.find((each) => each.id === id);
  return (
    <Dialog.Root open={event !== undefined} onOpenChange={(open) => !open && show('')}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog wide">{event && <Told event={event} names={names} />}</Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Told({ event, names }: { readonly event: AuditEventObject; readonly names: Names }) {
  const { title, about } = kindText(event.kind);
  return (
    <>
      <div className="dialog-head">
        <Dialog.Title>{title}</Dialog.Title>
        <Dialog.Description>{about}</Dialog.Description>
      </div>
      {event.changes !== undefined && <Changes changes={event.changes} />}
      <Facts facts={factsOf(event, names)} />
      <div className="actions">
        <Dialog.Close>Close</Dialog.Close>
      </div>
    </>
  );
}

function factsOf(event: AuditEventObject, names: Names): readonly (Fact | null)[] {
  const { email, actor, shareId, sessionId, provider, ip, reason, requestId } = event;
  const ofEmail = `?${new URLSearchParams({ email: email ?? '' })}`;
  return [
    { title: 'When', value: <Moment at={event.at} exact /> },
    { title: 'Result', value: <ResultBadge result={event.result} /> },
    { title: 'Kind', value: <code>{event.kind}</code> },
    known('Person', email, (text) => (
      <>
        <Link href={personAccessHref({ email: text })}>{text}</Link>
        <Link href={`${hrefTo('audit')}${ofEmail}`}>Events of this person</Link>
      </>
    )),
    known('Actor', actor, (text) => (
      <Link href={`${hrefTo('audit')}?${new URLSearchParams({ actor: text })}`}>
        {actorLabel(text, names)}
      </Link>
    )),
    known('Share', shareId, (text) => <Link href={hrefTo('shares', text)}>{shareLabel(text, names)}</Link>),
    known('Session', sessionId, (text) => (
      <>
        <code>{text}</code>
        {email !== null && <Link href={`${hrefTo('sessions')}${ofEmail}`}>Sessions of this person</Link>}
      </>
    )),
    known('Provider', provider, (text) => (
      <Link href={hrefTo('providers', text)}>
        <ProviderName name={text} />
      </Link>
    )),
    known('From', ip, (text) => <code>{text}</code>),
    // The name of a share that was changed says no more than the line above.
    known('Why', reason === shareLabel(shareId ?? '', names) ? null : reason, (text) => {
      const words = reasonText(text);
      return words === text ? text : `${words} (${text})`;
    }),
    known('Rule', ruleTold(event), (text) => text),
    known('Request', requestId, (text) => <CopyText text={text} label="the request id" />),
    { title: 'Event', value: <CopyText text={event.id} label="the event’s id" /> },
  ];
}

/** Of whoever the rules keep out: the rule that refused, or that there is none. */
function ruleTold({ rule, reason }: AuditEventObject): string | null {
  if (rule !== null) return rule;
  return reason === 'rule_refused' || reason === 'email_refused' ? 'No rule allows this person' : null;
}

function known(title: string, text: string | null, show: (text: string) => ReactNode): Fact | null {
  return text === null ? null : { title, value: show(text) };
}
