// A tar archive (POSIX ustar) that is the same for the same entries, whenever and by whom it is made: sorted,
// without times, users without names.

export type Entry = {
  /** Without a slash at either end: `usr/bin/doorward`. */
  readonly path: string;
  /** Permissions: `0o755`. */
  readonly mode: number;
  /** The owning user and group, 0 unless said. */
  readonly owner?: number;
} & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly content: Buffer }
  | { readonly kind: 'link'; readonly target: string }
);

export type TarOptions = {
  /** What every path begins with: `./` where a reader wants that. */
  readonly prefix?: string;
};

/** Throws for a path that ustar has no room for. Folders that are not named are not made. */
export function tar(entries: readonly Entry[], { prefix = '' }: TarOptions = {}): Buffer {
  const parts = entries
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .flatMap((entry) => {
      const content = entry.kind === 'file' ? entry.content : Buffer.alloc(0);
      return [header(entry, `${prefix}${entry.path}`, content.length), content, padding(content.length)];
    });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** The folders above the paths of entries, where they are not among them. */
export function withFolders(entries: readonly Entry[]): readonly Entry[] {
  const known = new Set(entries.map(({ path }) => path));
  const missing = new Set(entries.flatMap(({ path }) => above(path)).filter((path) => !known.has(path)));
  return [...entries, ...[...missing].map((path) => ({ kind: 'folder' as const, path, mode: 0o755 }))];
}

function above(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function header(entry: Entry, fullPath: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const [name, before] = split(entry.kind === 'folder' ? `${fullPath}/` : fullPath);
  const target = entry.kind === 'link' ? entry.target : '';
  if (Buffer.byteLength(target) > NAME) throw new Error(`Cannot archive ${fullPath}: its target is too long`);
  const owner = entry.owner ?? 0;
  block.write(name, 0);
  block.write(octal(entry.mode, 8), 100);
  block.write(octal(owner, 8), 108);
  block.write(octal(owner, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(TYPES[entry.kind], 156);
  block.write(target, 157);
  block.write('ustar\u000000', 257);
  block.write(octal(0, 8), 329);
  block.write(octal(0, 8), 337);
  block.write(before, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** The name and what stands before it, each where it has room. */
function split(path: string): readonly [string, string] {
  if (Buffer.byteLength(path) <= NAME) return [path, ''];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [before, name] = [path.slice(0, at), path.slice(at + 1)];
    if (name !== '' && Buffer.byteLength(name) <= NAME && Buffer.byteLength(before) <= PREFIX)
      return [name, before];
  }
  throw new Error(`Cannot archive ${path}: its path is too long`);
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

const BLOCK = 512;
const NAME = 100;
const PREFIX = 155;
const TYPES = { file: '0', link: '2', folder: '5' } as const;
