// How to stop each thing that was started.

export type Undo = () => unknown;

/** Last to first: what was started later may need what was started before it. */
export async function unwind(undo: Undo[]): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step();
}
