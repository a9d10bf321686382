// Filters and order of a list under a name, as text that the browser keeps. That text is read as if a
// stranger had written it: what comes out is a name to show and values of parameters that the list has.

import { withoutUnfitMarks } from '../../../../src/domain/plain-line.ts';

export type SavedView = {
  readonly name: string;
  /** What comes after `?` in the list's address, without it. */
  readonly query: string;
};

/** `holds`: the parameters of the list. What is no view is left out. */
export function readViews(text: string | null, holds: readonly string[]): readonly SavedView[] {
  if (text === null || text.length > MOST_TEXT) return [];
  const found = parsed(text);
  if (!Array.isArray(found)) return [];
  const views = new Map<string, SavedView>();
  for (const each of found as readonly unknown[]) {
    const view = viewOf(each, holds);
    if (view !== null && views.size < MOST_VIEWS) views.set(view.name, view);
  }
  return [...views.values()];
}

export function writeViews(views: readonly SavedView[]): string {
  return JSON.stringify(views);
}

/** With the view in place of the one that has its name. Null when there is no room for another. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] | null {
  const at = views.findIndex(({ name }) => name === view.name);
  if (at !== -1) return views.with(at, view);
  return views.length < MOST_VIEWS ? [...views, view] : null;
}

/** As it is shown; empty when nothing is left of it. */
export function viewName(text: string): string {
  const shown = withoutUnfitMarks(text).replaceAll(/\s+/g, ' ').trim();
  return [...shown].slice(0, MOST_NAME).join('').trim();
}

/** What a view holds of an address: always in the same order, so that equal ones are equal texts. */
export function viewQuery(query: URLSearchParams, holds: readonly string[]): string {
  const kept = new URLSearchParams();
  for (const name of holds) {
    const value = query.get(name) ?? '';
    if (value !== '') kept.set(name, value);
  }
  return kept.toString();
}

function viewOf(each: unknown, holds: readonly string[]): SavedView | null {
  if (typeof each !== 'object' || each === null) return null;
  const { name, query } = each as Partial<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof query !== 'string' || query.length > MOST_QUERY) return null;
  const shown = viewName(name);
  return shown === '' ? null : { name: shown, query: viewQuery(new URLSearchParams(query), holds) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** More than a menu shows well. */
export const MOST_VIEWS = 20;
/** Characters of a name: a line of the menu. */
export const MOST_NAME = 60;
/** Characters of the address after `?`: more than all filters of a list together need. */
export const MOST_QUERY = 2_000;
/** More than all views together can have, however their characters are escaped. */
const MOST_TEXT = 500_000;
