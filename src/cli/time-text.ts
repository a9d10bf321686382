// Times as people read them: UTC, to the minute.

/** `2030-01-31 09:05Z` of an RFC 3339 time in UTC. */
export function minuteText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;
}
