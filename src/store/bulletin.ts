// What the processes that share a store tell each other, and nobody keeps: whoever does not listen at that
// moment never hears it. For what is worth nothing a minute later; everything else is a row.

export interface Bulletin {
  /** Tells the other processes, not this one. At most `MAX_POST_BYTES` as UTF-8; no control character. */
  post(text: string): Promise<void>;
  /** Calls `heard` with what others post from now on, as far as it arrives. Ends with the store. */
  onPost(heard: (text: string) => void): void;
}

/** PostgreSQL takes less than 8,000 bytes in a notification, the poster's name among them. */
export const MAX_POST_BYTES = 7_900;
