// What a change changed, field by field, for the audit and for webhooks: before it and after it. Never a
// secret, only its name. Of a long list only what differs is told, and of that no more than fits: an event
// stays small, whatever it is about.

/** A thing as its maker says it, by the names of the API; rules are text. */
export type ChangeFields = Readonly<Record<string, unknown>>;

/** A change as whoever makes it says it: the whole thing, on both sides. */
export type ChangeMade = {
  /** Null for what is new. */
  readonly before: ChangeFields | null;
  /** Null for what is deleted. */
  readonly after: ChangeFields | null;
  /** What a thing has that nobody said anything of: of one that is new or deleted, it is left out. */
  readonly unset?: ChangeFields;
  /** Secrets that are others from now on, by name. */
  readonly secrets?: readonly string[];
};

/** Those fields that differ. */
export type AuditChange = {
  readonly before: ToldFields | null;
  readonly after: ToldFields | null;
  readonly secrets: readonly string[];
  /** How many values are left out or cut, on both sides together. */
  readonly omitted: number;
};

export function auditChange({ before, after, unset = {}, secrets = [] }: ChangeMade): AuditChange {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const differing = names.flatMap((name) => {
    const [was, is] = [plain((before ?? unset)[name]), plain((after ?? unset)[name])];
    const isOneSided = before === null || after === null;
    if (JSON.stringify(was) === JSON.stringify(is) || (isOneSided && isNothing(was) && isNothing(is)))
      return [];
    return [{ name, was, is }];
  });
  for (const room of ROOMS) {
    const told = within({ before, after, secrets }, differing, room);
    if (sizeOf(told) <= MAX_BYTES) return told;
  }
  return namesWithin({ before, after, secrets }, differing);
}

type Sides = Pick<ChangeMade, 'before' | 'after'> & { readonly secrets: readonly string[] };
type Differing = { readonly name: string; readonly was: PlainValue; readonly is: PlainValue };
type Cut = { readonly value: PlainValue; readonly omitted: number };

function within({ before, after, secrets }: Sides, differing: readonly Differing[], room: Room): AuditChange {
  const cut = differing.map(({ name, was, is }) => ({
    name,
    was: cutTo(was, is, room),
    is: cutTo(is, was, room),
  }));
  return {
    before: before && Object.fromEntries(cut.map(({ name, was }) => [name, was.value])),
    after: after && Object.fromEntries(cut.map(({ name, is }) => [name, is.value])),
    secrets,
    omitted: cut.reduce((sum, { was, is }) => sum + was.omitted + is.omitted, 0),
  };
}

/** Where not even short values fit: which fields there are, as many as fit. */
function namesWithin(sides: Sides, differing: readonly Differing[]): AuditChange {
  const named = differing.map(({ name }) => ({ name, was: CUT, is: CUT }));
  for (let kept = named.length; ; kept = Math.floor(kept / 2)) {
    const told = within(sides, named.slice(0, kept), SMALLEST);
    if (kept === 0 || sizeOf(told) <= MAX_BYTES) return { ...told, omitted: differing.length * 2 };
  }
}

/** The value, or of a long list what the other side does not have, as far as there is room. */
function cutTo(value: PlainValue, other: PlainValue, room: Room): Cut {
  if (!isList(value)) {
    const short = shortened(value, room);
    return { value: short, omitted: short === value ? 0 : 1 };
  }
  if (JSON.stringify(value).length <= room.list) return { value, omitted: 0 };
  const there = new Set((isList(other) ? other : []).map((each) => JSON.stringify(each)));
  let left = room.list;
  const kept = value.filter((each) => {
    const text = JSON.stringify(each);
    const fits = !there.has(text) && text.length < left;
    if (fits) left -= text.length + 1;
    return fits;
  });
  return { value: kept, omitted: value.length - kept.length };
}

function shortened(value: Exclude<PlainValue, readonly string[]>, { text: most }: Room): typeof value {
  return typeof value !== 'string' || value.length <= most ? value : `${value.slice(0, most)}${CUT}`;
}

/** A value of an event: what has parts of its own becomes text, but for a list, whose entries do. */
export function plain(value: unknown): PlainValue {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf);
  return typeof value === 'object' ? JSON.stringify(value) : (value as PlainValue);
}

export type ToldFields = Readonly<Record<string, PlainValue>>;
export type PlainValue = string | number | boolean | null | readonly string[];

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isList(value: PlainValue): value is readonly string[] {
  return Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function sizeOf(told: AuditChange): number {
  return new TextEncoder().encode(JSON.stringify(told)).length;
}

/** Characters of JSON: of one list, and of one value that is none. */
type Room = { readonly list: number; readonly text: number };

const SMALLEST: Room = { list: 0, text: 20 };
/** Each is tried until all of it fits: a change of one long list is told at length, one of many is not. */
const ROOMS: readonly Room[] = [
  { list: 2_500, text: 1_000 },
  { list: 1_000, text: 300 },
  { list: 300, text: 100 },
  { list: 100, text: 50 },
  SMALLEST,
];
const CUT = '…';
/** With what else an event has, it stays below 8 KiB. */
const MAX_BYTES = 6_144;
