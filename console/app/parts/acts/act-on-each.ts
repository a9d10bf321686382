// Something is done to each of several things, some at once, whatever becomes of others.

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
