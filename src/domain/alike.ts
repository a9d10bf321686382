// Objects that have the same values in some of their members share these: very many that are alike hold them
// once.

/**
 * Answers those members of an object, as one that was seen before has them when all are the very same values.
 */
export function createAlike<Member extends string>(
  members: readonly Member[],
): <Whole extends Readonly<Record<Member, unknown>>>(whole: Whole) => Pick<Whole, Member> {
  const numbers = new Map<unknown, number>();
  const kept = new Map<string, Readonly<Record<Member, unknown>>>();
  return <Whole extends Readonly<Record<Member, unknown>>>(whole: Whole) => {
    if (numbers.size > MAX_KEPT || kept.size > MAX_KEPT) {
      numbers.clear();
      kept.clear();
    }
    let key = '';
    for (const member of members) {
      const value = whole[member];
      let number = numbers.get(value);
      if (number === undefined) numbers.set(value, (number = numbers.size));
      key += `${number},`;
    }
    let alike = kept.get(key);
    if (alike === undefined) {
      alike = Object.fromEntries(members.map((member) => [member, whole[member]])) as Record<Member, unknown>;
      kept.set(key, alike);
    }
    return alike as Pick<Whole, Member>;
  };
}

/** Beyond it they are gathered anew: what is held is held by objects that are there, and by little else. */
const MAX_KEPT = 10_000;
