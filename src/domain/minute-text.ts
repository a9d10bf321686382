// A time in a text that is sent to people: the same for whoever reads it, wherever they are.

/** `2026-05-01 12:00 UTC`, of milliseconds since the epoch. */
export function minuteText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
