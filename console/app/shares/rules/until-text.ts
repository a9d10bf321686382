// Until when a rule counts, as fields of a form: a day, which counts whole and in UTC, or a moment with its
// offset.

export type UntilParts = {
  /** Empty while it is not chosen. */
  readonly day: string;
  /** Empty for the whole day. */
  readonly time: string;
  /** `Z`, or `+02:00`. */
  readonly zone: string;
};

/** Null for a text that these fields cannot show. */
export function untilParts(text: string): UntilParts | null {
  const found = UNTIL.exec(text);
  if (found === null) return null;
  const [, day = '', time = '', zone = 'Z'] = found;
  // As fields show it; a second that is none is written again.
  return { day, time: time.replace(/^(\d{2}:\d{2}):00$/, '$1'), zone };
}

export function untilText({ day, time, zone }: UntilParts): string {
  if (time === '') return day;
  return `${day}T${time.length === 'hh:mm'.length ? `${time}:00` : time}${zone}`;
}

/** The offset of this browser at that moment, as `+02:00`; `Z` for none. */
export function offsetHere({ day, time }: UntilParts): string {
  const at = new Date(day === '' ? Date.now() : `${day}T${time || '00:00'}`);
  const minutes = -at.getTimezoneOffset();
  if (!Number.isFinite(minutes) || minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
}

function digits(count: number): string {
  return String(Math.floor(count)).padStart(2, '0');
}

const UNTIL = /^(\d{4}-\d{2}-\d{2})?(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2}))?$/;
