// Attempts to log in, as the rooms above see them: each is used once.

import type { AttemptId } from '../../domain/id.ts';

export interface AttemptTable {
  /**
   * Uses an attempt up. False when it was used before, or may have been: when it was made before the store
   * was restored. Unless `madeAt` says when, that was a minute before its end.
   */
  claim(id: AttemptId, expiresAt: number, madeAt?: number): Promise<boolean>;
}
