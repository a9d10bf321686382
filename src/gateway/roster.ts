// Who is here now, for members that come and go with every request. Not a Set: each table that a Set outgrows
// points to the next one, so once one of them is old to the collector, all that follow, and the requests in
// them, live until the next full collection (measured: a tenth of the cost of a request).

/** Where a member sits; negative when it does not. The roster's to change. */
export type Seated = { seat: number };

export class Roster<Member extends Seated> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    if (member.seat >= 0) return;
    member.seat = this.#members.length;
    this.#members.push(member);
  }

  /** Harmless for whoever is not in. */
  remove(member: Member): void {
    const { seat } = member;
    const last = seat < 0 ? undefined : this.#members.pop();
    if (last === undefined) return;
    member.seat = NOWHERE;
    if (last === member) return;
    this.#members[seat] = last;
    last.seat = seat;
  }

  /** Visits all who were in at the call and still are when their turn comes, in no order. */
  forEach(visit: (member: Member) => void): void {
    for (const member of this.#members.slice()) if (member.seat >= 0) visit(member);
  }
}

export const NOWHERE = -1;
