// The page's colours for what is drawn on a canvas, which knows no custom properties, and when they change.

export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

/** As they are where `place` stands. */
export function readColours(place: HTMLElement): Colours {
  const probe = document.createElement('span');
  place.append(probe);
  const colours = NAMES.map((name) => {
    probe.className = `chart-colour-${name}`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Colours;
}

/** Light or dark, by the system or by the page itself. Returns how to stop. */
export function onThemeChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributes: true });
  dark.addEventListener('change', changed);
  contrast.addEventListener('change', changed);
  return () => {
    chosen.disconnect();
    dark.removeEventListener('change', changed);
    contrast.removeEventListener('change', changed);
  };
}

const NAMES = ['served', 'refused', 'faulted', 'half', 'most', 'soft', 'line'] as const;
