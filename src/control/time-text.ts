// Times as the API writes them: RFC 3339, in UTC.

export function timeText(at: number): string {
  return new Date(at).toISOString();
}

export function timeOrNull(at: number | null): string | null {
  return at === null ? null : timeText(at);
}
