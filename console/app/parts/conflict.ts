// Two people change the same thing: what each of them did to it, field by field, in the words of the page.

/** A thing as people read it: what a field is called, and what it holds. */
export type Fields = Readonly<Record<string, string>>;

export type Clash = {
  readonly field: string;
  /** As it was when the form was opened. */
  readonly before: string;
  readonly theirs: string;
  readonly mine: string;
  /** Whose change the field shows; `both` when one of the two has to give way. */
  readonly by: 'them' | 'me' | 'both';
};

/** The fields that somebody changed; those that both changed alike count as theirs. */
export function clashesOf(before: Fields, theirs: Fields, mine: Fields): readonly Clash[] {
  const names = new Set([before, theirs, mine].flatMap((fields) => Object.keys(fields)));
  return [...names].flatMap((field) => {
    const [was, others, own] = [before[field] ?? '', theirs[field] ?? '', mine[field] ?? ''];
    if (others === was && own === was) return [];
    const by = own === was || own === others ? 'them' : others === was ? 'me' : 'both';
    return [{ field, before: was, theirs: others, mine: own, by }];
  });
}
