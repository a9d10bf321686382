// Whether frames that carry nothing come faster than an honest peer sends them: each costs work and asks for
// an answer, and neither HTTP/2 (RFC 9113 section 10.5) nor the tunnel's own frames have a limit for them.

/** Each call counts one; true once there were too many. `now` in milliseconds. */
export function createFloodMeter(now: () => number): () => boolean {
  let left = BURST;
  let at = now();
  return () => {
    const current = now();
    left = Math.min(BURST, left + ((current - at) / 1_000) * PER_SECOND) - 1;
    at = current;
    return left < 0;
  };
}

/** An agent pings four times a minute, says hello once, and that it leaves. */
const BURST = 100;
const PER_SECOND = 10;
