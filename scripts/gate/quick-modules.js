// @ts-check
// Loaded before everything else, in every process and thread of the gate. Each reads more than a thousand
// modules, and to find them, to take off their types and to compile them one by one costs more than most
// test files do. Here modules of the checkout keep their addresses, and are read without their types from
// one file; a dependency is one module instead of hundreds. What is not known is left to Node. JavaScript,
// since it runs before all else; `offer-modules.ts` makes what is read.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import * as nodeModule from 'node:module';

/** @typedef {import('./offer-modules.ts').QuickModules} QuickModules */

const file = process.env['DOORWARD_TEST_MODULES'];
// A test may run the program on a Node that has no such hooks.
if (file !== undefined && 'registerHooks' in nodeModule) serve(JSON.parse(readFileSync(file, 'utf8')));

/** @param {QuickModules} known */
function serve({ root, dependencies, texts, places }) {
  const modules = `${root}node_modules/`;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL ?? '';
      if (!from.startsWith(root) || from.startsWith(modules)) return next(specifier, context);
      const dependency = dependencies[specifier];
      if (dependency !== undefined) return { url: dependency, format: 'module', shortCircuit: true };
      const url = specifier.startsWith('.') ? new URL(specifier, from).href : specifier;
      if (places[url] === undefined) return next(specifier, context);
      return { url, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      const place = places[url];
      if (place === undefined) return next(url, context);
      return { format: 'module', source: read(texts, place), shortCircuit: true };
    },
  });
}

/**
 * @param {string} texts
 * @param {QuickModules['places'][string]} place
 */
function read(texts, [start, length]) {
  const bytes = Buffer.allocUnsafe(length);
  const descriptor = openSync(texts, 'r');
  readSync(descriptor, bytes, 0, length, start);
  closeSync(descriptor);
  return bytes.toString();
}
