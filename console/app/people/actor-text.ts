// The parts of an actor's name as the API gives it.

export type ActorParts = {
  readonly kind: 'member' | 'api-key' | 'certificate' | 'other';
  readonly id: string;
};

export function actorOf(name: string | null): ActorParts {
  const [, kind = '', id = ''] = /^([a-z-]+):(.+)$/.exec(name ?? '') ?? [];
  // A certificate that the store does not know has no page.
  if (id.startsWith('serial:')) return { kind: 'other', id: '' };
  if (kind === 'member' || kind === 'api-key' || kind === 'certificate') return { kind, id };
  return { kind: 'other', id: '' };
}
