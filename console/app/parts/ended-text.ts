export function endedText(ended: number): string {
  return ended === 1 ? 'One session was ended' : `${ended} sessions were ended`;
}
