// Who did what an audit event tells of, what a token was made by and who allowed a certificate its role: one
// type, and one text of it for the database and the API. Decisions ask the type, never the text.

import { namedBySerial } from './certificate-name.ts';

/** As in `id.ts`, which makes them and so is not for browsers. */
type Id<Prefix extends string> = `${Prefix}_${string}`;

export type Actor =
  | { readonly kind: 'member'; readonly id: Id<'mem'> }
  | { readonly kind: 'key'; readonly id: Id<'key'> }
  | { readonly kind: 'certificate'; readonly id: Id<'cer'> }
  /** A certificate that the database does not know, or that only a gateway has seen so far. */
  | { readonly kind: 'certificate-serial'; readonly serial: string }
  /** Whoever redeems a certificate request token. */
  | { readonly kind: 'token'; readonly id: Id<'crq'> }
  /** A program, by the service token that it showed. */
  | { readonly kind: 'service-token'; readonly id: Id<'tok'> }
  /** The person whom a certificate is for, who need not be a member. */
  | { readonly kind: 'holder' }
  /** Whoever a provider names by an address that it does not vouch for. */
  | { readonly kind: 'unverified'; readonly email: string }
  | { readonly kind: 'operator' }
  /** Nobody but whom the event is about: the visitor, or the service by itself. It has no text. */
  | { readonly kind: 'system' };

export type ActorText =
  | `member:${Id<'mem'>}`
  | `api-key:${Id<'key'>}`
  | `certificate:${Id<'cer'> | `serial:${string}`}`
  | `certificate-request-token:${Id<'crq'>}`
  | `service-token:${Id<'tok'>}`
  | `unverified:${string}`
  | 'holder'
  | 'operator';

/** Any that has a text. */
export type NamedActor = Exclude<Actor, { readonly kind: 'system' }>;

export const OPERATOR = { kind: 'operator' } as const satisfies Actor;
export const HOLDER = { kind: 'holder' } as const satisfies Actor;
export const SYSTEM = { kind: 'system' } as const satisfies Actor;

export function actorText(actor: NamedActor): ActorText;
export function actorText(actor: Actor): ActorText | null;
export function actorText(actor: Actor): ActorText | null {
  switch (actor.kind) {
    case 'member':
      return `member:${actor.id}`;
    case 'key':
      return `api-key:${actor.id}`;
    case 'certificate':
      return `certificate:${actor.id}`;
    case 'certificate-serial':
      return `certificate:${namedBySerial(actor.serial)}`;
    case 'token':
      return `certificate-request-token:${actor.id}`;
    case 'service-token':
      return `service-token:${actor.id}`;
    case 'unverified':
      return `unverified:${actor.email}`;
    case 'holder':
    case 'operator':
      return actor.kind;
    case 'system':
      return null;
  }
}

/** Null for a text that names no actor. */
export function parseActor(text: string | null): Actor | null {
  if (text === null) return SYSTEM;
  if (text === 'holder') return HOLDER;
  if (text === 'operator') return OPERATOR;
  const [, of, name = ''] = /^([a-z-]+):(.+)$/s.exec(text) ?? [];
  switch (of) {
    case 'member':
      return isId('mem', name) ? { kind: 'member', id: name } : null;
    case 'api-key':
      return isId('key', name) ? { kind: 'key', id: name } : null;
    case 'certificate':
      return isId('cer', name) ? { kind: 'certificate', id: name } : bySerial(name);
    case 'certificate-request-token':
      return isId('crq', name) ? { kind: 'token', id: name } : null;
    case 'service-token':
      return isId('tok', name) ? { kind: 'service-token', id: name } : null;
    case 'unverified':
      return { kind: 'unverified', email: name };
    default:
      return null;
  }
}

function bySerial(name: string): Actor | null {
  const [, serial] = /^serial:(.+)$/.exec(name) ?? [];
  return serial === undefined ? null : { kind: 'certificate-serial', serial };
}

function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  return text.length > prefix.length + 1 && text.startsWith(`${prefix}_`);
}
