// A thing as it was in the transaction that changed it, which may not be as it was when the call began: what
// the audit tells as before.

export type Remembering<Thing> = {
  readonly judge: (thing: Thing) => void;
  /** As it was judged last, since a transaction may run again. */
  readonly judged: () => Thing;
};

/** What `judge` throws stops the change, as without this. */
export function remembering<Thing>(judge: (thing: Thing) => void = () => undefined): Remembering<Thing> {
  const seen: { thing: Thing | null } = { thing: null };
  return {
    judge: (thing) => {
      seen.thing = thing;
      judge(thing);
    },
    judged: () => {
      if (seen.thing === null)
        throw new Error('Cannot tell what was there before a change: nothing judged it');
      return seen.thing;
    },
  };
}
