// What an image is made of, as CycloneDX 1.6 (SBOM): the dependencies of the lock file, Node, and Debian's
// packages. Without times and serial numbers, so that the same image has the same list.

import { deliveredDependencies } from '../package/licenses.ts';
import type { DebianPackage } from './libraries.ts';

export type MadeOf = {
  readonly root: string;
  readonly version: string;
  readonly node: string;
  readonly packages: readonly DebianPackage[];
};

export function billOfMaterials({ root, version, node, packages }: MadeOf): string {
  const modules = deliveredDependencies(root).map(({ name, version: at, license, integrity }) => {
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    return component(`pkg:npm/${name.replace('@', '%40')}@${at}`, name, at, {
      licenses: [{ expression: license }],
      hashes: [{ alg: 'SHA-512', content: hash }],
    });
  });
  const runtime = component(`pkg:generic/node@${node}`, 'node', node);
  const debian = packages.map(({ name, version: at, architecture }) =>
    component(
      `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(at)}?arch=${architecture}`,
      name,
      at,
    ),
  );
  const components = [...modules, runtime, ...debian];
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: { type: 'application', name: 'doorward', version, 'bom-ref': `doorward@${version}` },
      },
      components,
    },
    null,
    2,
  )}\n`;
}

/** `purl` is its package URL, and what refers to it here. */
function component(purl: string, name: string, version: string, more: object = {}): object {
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...more };
}
