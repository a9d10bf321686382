// Numbers and times as people read them.

/** "1,234"; from a hundred thousand on "123.4K". */
export function countText(count: number): string {
  return (count < SHORTENED_FROM ? WHOLE : SHORT).format(count);
}

/** "1 request", "2 requests". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(count)} ${count === 1 ? one : many}`;
}

/** "14:05" within a day, "Mon 14:05" beyond. */
export function timeText(at: Date, hours: number): string {
  return (hours <= 24 ? TIME : DAY_TIME).format(at);
}

/** "Mon 3". */
export function dayText(at: Date): string {
  return `${WEEKDAY.format(at)} ${at.getDate()}`;
}

const SHORTENED_FROM = 100_000;
const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY_TIME = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short' });
