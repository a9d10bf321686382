// What can be done to things of a list, one or several of them: the question before, and the word after.

import type { ReactNode } from 'react';

export type Act<Item> = {
  /** On the button, and in the menu of a row. */
  readonly label: string;
  /** Those to which it can be done; to all unless said. */
  readonly isFor?: (item: Item) => boolean;
  /** It cannot be undone. */
  readonly isDanger?: boolean;
  /** "End 3 sessions?" */
  readonly question: (items: readonly Item[]) => string;
  readonly about: ReactNode | ((items: readonly Item[]) => ReactNode);
  /** What is said before, such as a reason; the first unless changed. */
  readonly choice?: ActChoice;
  /** "End them" */
  readonly action: string;
  /** "3 sessions ended" */
  readonly done: (count: number) => string;
  /** `said`: a key of the choice; empty without one. */
  readonly run: (item: Item, said: string) => Promise<unknown>;
};

export type ActChoice = {
  readonly label: string;
  readonly about: string;
  /** By what is said of each. */
  readonly options: Readonly<Record<string, string>>;
};
