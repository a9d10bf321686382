// Where one can go by name: areas first, then shares.

export type NamedPlace = { readonly title: string; readonly kind: 'Area' | 'Share'; readonly href: string };

/** Those whose title holds every word of the text; titles that begin with it come first. At most `MOST_PLACES`. */
export function findPlaces(places: readonly NamedPlace[], text: string): readonly NamedPlace[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = places.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const [first = ''] = words;
  const begins = ({ title }: NamedPlace) => title.toLowerCase().startsWith(first);
  return [...matching.filter(begins), ...matching.filter((place) => !begins(place))].slice(0, MOST_PLACES);
}

/** What fits without scrolling far: whoever wants another types one letter more. */
const MOST_PLACES = 12;
