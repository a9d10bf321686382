// `npm run build:image [-- PLATFORM…]`: writes dist/doorward-image.tar, an OCI image for each platform, and
// beside it what it is made of (CycloneDX) and under which licenses. Executables are built where they are
// missing; the shared libraries come from Debian's packages, through this machine's apt.

import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import nodePackage from '../node_modules/node/package.json' with { type: 'json' };
import packageFile from '../package.json' with { type: 'json' };
import { buildExecutables } from './executable/build.ts';
import { platformsNamed } from './executable/node-program.ts';
import { billOfMaterials } from './image/bill-of-materials.ts';
import { buildImage } from './image/build.ts';
import { libraries } from './image/libraries.ts';
import { licensesText } from './package/licenses.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { version } = packageFile;
const kept = join(dist, 'libraries');
// Those of today, with the repairs of today.
rmSync(kept, { recursive: true, force: true });
const platforms = platformsNamed(process.argv.slice(2));
const missing = platforms.filter((platform) => !existsSync(join(dist, `doorward-${platform}`)));
if (missing.length > 0) await buildExecutables(root, dist, missing);
const parts = platforms.map((platform) => ({ platform, linked: libraries(platform, kept) }));
const { archive, digest } = buildImage({
  version,
  images: parts.map(({ platform, linked }) => ({
    platform,
    executable: join(dist, `doorward-${platform}`),
    libraries: linked.entries,
  })),
});
const packages = parts.flatMap(({ linked }) => linked.packages);
const copyrights = packages.map(
  ({ name, architecture, copyright }) => `${name}:${architecture}\n\n${copyright}`,
);
for (const [name, content] of [
  ['doorward-image.tar', archive],
  ['doorward-image.cdx.json', billOfMaterials({ root, version, node: nodePackage.version, packages })],
  ['doorward-image.licenses.txt', [licensesText(root), ...copyrights].join(`${'-'.repeat(80)}\n\n`)],
] as const) {
  const file = join(dist, name);
  writeFileSync(file, content);
  process.stdout.write(`${relative(root, file)} ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
process.stdout.write(`${digest}\n`);
