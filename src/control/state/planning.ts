// What the planning of each section is given, and where it puts what it finds: changes with how each is made,
// faults of the state, and what is to be told.

import { ServiceError } from '../../domain/service-error.ts';
import type { AccountState, MadeSecret, StateChange, StateField, StateThing } from '../../wire/state.ts';
import type { Caller } from '../control-deps.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';
import type { OperationDeps } from '../operation-deps.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * When a change is made. What others need is made before them, and deleted after them; what counts against a
 * limit goes before more of it comes.
 */
export const ORDER = [
  'delete hosts',
  'delete tokens',
  'delete webhooks',
  'write providers',
  'delete shares',
  'write shares',
  'delete providers',
  'write hosts',
  'write tokens',
  'write webhooks',
  'write policy',
] as const;

export type Step = {
  readonly at: (typeof ORDER)[number];
  /** Null for a step of a change that another step tells of. */
  readonly change: StateChange | null;
  /** Writes to the store alone, in the transaction of all; it may run again. */
  readonly run: () => Promise<unknown>;
};

export type Plan = {
  readonly steps: readonly Step[];
  readonly unchanged: readonly StateThing[];
  readonly kept: readonly StateThing[];
  readonly secrets: readonly MadeSecret[];
  readonly notes: readonly string[];
  /** Hosts that wait for their proof, to be tried when all is done. */
  readonly claimed: readonly string[];
  /** Shares that need the account's certificate authority, which only who may change things makes. */
  readonly needAuthority: readonly string[];
};

export type Planning = {
  readonly deps: OperationDeps;
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  readonly state: AccountState;
  readonly prune: boolean;
  readonly found: Found;
};

type Growing<T> = { -readonly [Name in keyof T]: T[Name] extends readonly (infer Item)[] ? Item[] : never };
export type Found = Growing<Plan> & { readonly faults: InputFault[] };

export function nothingFound(): Found {
  return {
    steps: [],
    unchanged: [],
    kept: [],
    secrets: [],
    notes: [],
    claimed: [],
    needAuthority: [],
    faults: [],
  };
}

/**
 * What `work` answers; null, and a fault at `path`, where it refuses what the state says. What is not about
 * the state is thrown on.
 */
export async function judged<T>(
  { faults }: Found,
  path: string,
  work: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.fault.status >= 500 || !OF_INPUT.has(error.code))
      throw error;
    faults.push(...faultsAt(path, error));
    return null;
  }
}

/** Throws `validation_failed` with every fault. */
export function requireSound({ faults }: Found): void {
  if (faults.length > 0) throw inputRefused(faults);
}

/** Each name once. */
export function distinct<Item>(
  { faults }: Found,
  section: string,
  {
    items,
    field,
    nameOf,
  }: { readonly items: readonly Item[]; readonly field: string; readonly nameOf: (item: Item) => string },
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const name = nameOf(item);
    if (seen.has(name))
      faults.push({ path: `state.${section}.${index}.${field}`, message: `"${name}" is here twice` });
    seen.add(name);
  }
}

/** Field by field, where two differ. Null is none. */
export function differences(before: object, after: object): readonly StateField[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const field = { name, before: textOf(was.get(name)), after: textOf(is.get(name)) };
    return field.before === field.after ? [] : [field];
  });
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** So many at once: a name that does not resolve takes its time. Other calls are answered in between. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
  most: number = GROUP,
): Promise<void> {
  const pace = createPace();
  for (let start = 0; start < items.length; start += most) {
    const begun: Promise<unknown>[] = [];
    for (const [index, item] of items.slice(start, start + most).entries()) {
      // One thing may have hundreds of patterns to read, which waits for nothing.
      await pace();
      const one = work(item, start + index);
      // Told below, once all of them were begun.
      one.catch(() => undefined);
      begun.push(one);
    }
    await Promise.all(begun);
  }
}

/** One after the other. Other calls are answered in between. */
export function inTurn<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  return inGroups(items, work, 1);
}

/** Waits where the rest of the service was kept waiting for a while. */
export function createPace(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await breath();
    since = performance.now();
  };
}

/** Lets the rest of the service go on. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function faultsAt(path: string, { message, extra }: ServiceError): readonly InputFault[] {
  const inner = extra['faults'];
  if (!Array.isArray(inner) || inner.length === 0) return [{ path, message }];
  return (inner as readonly InputFault[]).map((fault) => ({
    path: fault.path === '' ? path : `${path}.${fault.path}`,
    message: fault.message,
  }));
}

/** What is wrong with what is asked, rather than with who asks or when. */
const OF_INPUT: ReadonlySet<string> = new Set([
  'validation_failed',
  'name_taken',
  'name_reserved',
  'target_refused',
  'needs_tls',
  'share_unprotected',
  'share_unknown',
  'provider_unknown',
  'host_refused',
  'host_outside_cookie_domain',
]);
const GROUP = 16;
/** A login or a call that waits meanwhile is not held up noticeably. */
const SLICE_MS = 5;
