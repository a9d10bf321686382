// A configuration from its file: the one place of this room that reads files.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAgentConfig, type ParsedAgentConfig } from './agent-config.ts';
import { configError, type ConfigFault } from './config-fault.ts';
import type { Config } from './config.ts';
import { type ConfigSource, parseConfig, type ParsedConfig } from './parse.ts';

/** Throws `config_invalid`, its `extra.faults` all that is wrong and its message the same for reading. */
export async function loadConfig(file: string): Promise<Config> {
  const parsed = readConfigFile(file);
  if ('config' in parsed) return parsed.config;
  throw configError(file, parsed.faults);
}

/** The configuration of a file, or its faults. A file that cannot be read has one fault. Never throws. */
export function readConfigFile(file: string): ParsedConfig {
  return readWith(parseConfig, file);
}

/** As `readConfigFile`, of an agent (`agent.yaml`). */
export function readAgentFile(file: string): ParsedAgentConfig {
  return readWith(parseAgentConfig, file);
}

type Faulty = { readonly faults: readonly ConfigFault[] };

function readWith<Parsed>(
  parse: (text: string, source: ConfigSource) => Parsed,
  file: string,
): Parsed | Faulty {
  const absolute = resolve(file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readSmallFile(absolute));
  } catch (error) {
    return { faults: [unreadable(error)] };
  }
  return parse(text, { file: absolute, readFile: readSmallFile });
}

/** Only plain files of bounded size: a pipe or a device could keep the service waiting, or never end. */
function readSmallFile(path: string): Uint8Array {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('not a plain file');
  if (stats.size > MAX_FILE_BYTES) throw new Error(`longer than ${MAX_FILE_BYTES} bytes`);
  return readFileSync(path);
}

function unreadable(error: unknown): ConfigFault {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const reason = error instanceof Error ? error.message : 'an unknown error';
  const found = missing ? 'no such file' : `a file that cannot be read (${reason})`;
  return {
    path: '',
    line: 1,
    column: 1,
    found,
    wanted: 'a configuration file, such as doorward init writes',
  };
}

/** A configuration, a key and a logo are all far smaller. */
const MAX_FILE_BYTES = 1024 * 1024;
