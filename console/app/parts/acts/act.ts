// What can be done to things of a list, one or several of them: the question before, and the word after.

export type Act<Item> = {
  /** On the button, and in the menu of a row. */
  readonly label: string;
  /** Those to which it can be done; to all unless said. */
  readonly isFor?: (item: Item) => boolean;
  /** It cannot be undone. */
  readonly isDanger?: boolean;
  /** "End 3 sessions?" */
  readonly question: (items: readonly Item[]) => string;
  readonly about: string;
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

/** One whose turn went wrong; whatever else was chosen is done nevertheless. */
export type Failure<Item> = { readonly item: Item; readonly error: unknown };

/** Some at once. Each gets its turn, whatever becomes of others. */
export async function actOnEach<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  told: (done: number) => void = () => {},
): Promise<readonly Failure<Item>[]> {
  const failures: Failure<Item>[] = [];
  const queue = items.values();
  let done = 0;
  const work = async () => {
    for (const item of queue) {
      try {
        await run(item);
      } catch (error) {
        failures.push({ item, error });
      }
      told(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

/** Quick, and no flood for the service. */
const AT_ONCE = 4;
