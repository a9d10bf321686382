// A process that rotates the master key, for tests that kill it: it prints a line after each few secrets, and
// waits for an answer, so that it is killed where the test wants. Arguments: kind of engine, its file or
// address, key file.

import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { Secret } from '../../domain/secret.ts';
import { rotateMasterKey } from '../sealing/key-rotation.ts';
import type { StoreEngine } from '../open.ts';

const [kind, place = '', keyFile = ''] = process.argv.slice(2);
const engine: StoreEngine =
  kind === 'postgres' ? { kind, url: new Secret(place) } : { kind: 'sqlite', file: place };
const stdin = createInterface({ input: process.stdin });
process.stdout.write('started\n');
await once(stdin, 'line');
const progress = (secrets: number) => void process.stdout.write(`${secrets}\n`);
const rotation = await rotateMasterKey({ engine, keyFile, prepareOnly: false, now: Date.now, progress });
process.stdout.write(`${JSON.stringify(rotation)}\n`);
stdin.close();
