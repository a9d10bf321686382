// @ts-check
// What Node warns of and nobody at the terminal can change. JavaScript, since it runs before the program is
// loaded, and loading is what warns.

/**
 * Node 22 and 24 call their SQLite experimental on standard error. Doorward is tested on each of them, so
 * exactly this warning is left out; every other is printed.
 * @param {{ emitWarning: (...given: any[]) => void }} host
 * @returns {void}
 */
export function hideKnownWarnings(host) {
  const { emitWarning } = host;
  host.emitWarning = (...given) => {
    const [warning, kind] = given;
    if (kind === 'ExperimentalWarning' && String(warning).startsWith(OF_SQLITE)) return;
    emitWarning.apply(host, given);
  };
}

const OF_SQLITE = 'SQLite is an experimental feature';
