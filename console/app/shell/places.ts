// Finds by name where one can go.

/**
 * Those whose title holds every word of the text; titles that begin with it come first. At most
 * `MOST_PLACES`.
 */
export function findPlaces<Place extends { readonly title: string }>(
  places: readonly Place[],
  text: string,
): readonly Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = places.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const [first = ''] = words;
  const begins = ({ title }: Place) => title.toLowerCase().startsWith(first);
  return [...matching.filter(begins), ...matching.filter((place) => !begins(place))].slice(0, MOST_PLACES);
}

/** What fits without scrolling far: whoever wants another types one letter more. */
const MOST_PLACES = 16;
