// Times for people, with the exact one beside it.

type MomentProps = {
  readonly at: string | null;
  readonly none?: string;
  /** With the time itself beside it, for who reads what happened when. */
  readonly exact?: boolean;
};

/** "3 minutes ago", "in 2 days"; `none` where there is no time. */
export function Moment({ at, none = 'never', exact = false }: MomentProps) {
  if (at === null) return none;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact ? undefined : exactTime(at)}>
      {relative(date.getTime() - Date.now())}
      {exact && <span className="moment-exact"> {exactTime(at)}</span>}
    </time>
  );
}

/** The time of where the browser is, to the second, and its zone. */
export function exactTime(at: string): string {
  return EXACT.format(new Date(at));
}

function relative(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? (['second', 1_000] as const);
  return FORMAT.format(Math.round(ms / size), unit);
}

/** Made once: lists have hundreds of times, and each of these takes as long as a row. */
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
