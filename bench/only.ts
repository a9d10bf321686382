// Which parts of the bench are run: all, or those that `--only` names.

export const PARTS = [
  'rules',
  'installed',
  'requests',
  'many-shares',
  'half-load',
  'download',
  'websockets',
  'workers',
  'http2',
  'certificates',
  'tunnels',
  'forward-auth',
  'crowd',
] as const;

export type Part = (typeof PARTS)[number];

/** Throws for a name that no part has. */
export function partsOf(names: readonly string[]): ReadonlySet<Part> {
  for (const name of names)
    if (!isPart(name))
      throw new Error(
        `Cannot measure "${name}": there is no such part\nhint: Use one of ${PARTS.join(', ')}.`,
      );
  return new Set(names.length === 0 ? PARTS : names.filter(isPart));
}

function isPart(name: string): name is Part {
  return (PARTS as readonly string[]).includes(name);
}
