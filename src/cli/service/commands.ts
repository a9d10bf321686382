// The commands that make and run the service itself. Each is loaded only when it runs.

import { type Command, InvalidArgumentError } from 'commander';
import { type AddCommand, type ExitWith, newCommand, noun } from '../command.ts';
import { configOption, DEFAULT_CONFIG_FILE, jsonOption, onceOption } from '../option-parsers.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import { addBackup } from './backup.ts';
import { addKeyRotateAcme } from './key-rotate-acme.ts';
import { addKeyRotate } from './key-rotate.ts';
import { addRestore } from './restore.ts';
import { addServe } from './serve-command.ts';
import type { Terminal } from '../terminal.ts';

const addConfigCommands = noun('config', 'the configuration file', [addConfigCheck]);

const addKeyCommands = noun('key', 'manage the master encryption key and the key of the ACME account', [
  addKeyRotate,
  addKeyRotateAcme,
]);

export const FIRST_COMMANDS: readonly AddCommand[] = [addQuickstart, addInit];

export const SERVICE_COMMANDS: readonly AddCommand[] = [
  addConfigCommands,
  addServe,
  addDoctor,
  addHealth,
  addBackup,
  addRestore,
  addKeyCommands,
];

function addQuickstart(program: Command, terminal: Terminal): void {
  newCommand(program, 'quickstart', [
    'doorward quickstart',
    'doorward quickstart --dir /tmp/doorward --port 9080',
  ])
    .description('run everything on this machine, with a test identity provider and a sample backend')
    .addOption(onceOption('--dir <folder>', 'folder for its state (default: .doorward)'))
    .addOption(onceOption('--port <port>', 'port of the gateway (default: 8080)'))
    .action(async ({ dir, port }: { readonly dir?: string; readonly port?: string }) => {
      const { runQuickstart } = await import('../quickstart/quickstart.ts');
      await runQuickstart({
        ...(dir === undefined ? {} : { dir }),
        ...(port === undefined ? {} : { port: parsePortOption(port) }),
        out: terminal.out,
        err: terminal.err,
      });
    });
}

type InitWords = {
  readonly dir?: string;
  readonly publicUrl?: string;
  readonly acmeEmail?: string;
  readonly json?: boolean;
};

function addInit(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  newCommand(program, 'init', [
    "doorward init --dir /etc/doorward --public-url 'https://*.share.example.com'",
    "doorward init --public-url 'https://*.share.example.com' --acme-email ops@example.com",
  ])
    .description('write doorward.yaml with new keys, and the master key')
    .addOption(onceOption('--dir <folder>', 'where to write them (default: this folder)'))
    .addOption(
      onceOption('--public-url <url>', 'public address of shares, such as https://*.share.example.com'),
    )
    .addOption(
      onceOption(
        '--acme-email <email>',
        "get certificates from Let's Encrypt, to whose terms you agree; it may write to this address",
      ),
    )
    .addOption(jsonOption())
    .action(async ({ dir = '.', publicUrl, acmeEmail, json = false }: InitWords) => {
      const { DEFAULT_PUBLIC_URL, runInit } = await import('./init.ts');
      const url = publicUrl ?? DEFAULT_PUBLIC_URL;
      const acme = acmeEmail === undefined ? {} : { acmeEmail };
      exitWith(await runInit({ dir, publicUrl: url, ...acme, json }, terminal));
    });
}

function addConfigCheck(configuration: Command, terminal: Terminal, exitWith: ExitWith): void {
  newCommand(configuration, 'check', ['doorward config check --config /etc/doorward/doorward.yaml'])
    .description('report all errors in the configuration')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options: ConfigOptions & { readonly json?: boolean }) => {
      const { config = DEFAULT_CONFIG_FILE, json = false } = options;
      const { runConfigCheck } = await import('./config-check.ts');
      exitWith(await runConfigCheck(config, { json }, terminal));
    });
}

function addDoctor(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  newCommand(program, 'doctor', ['doorward doctor --config /etc/doorward/doorward.yaml'])
    .description(
      'check DNS, TLS, clock, keys, database, listeners and providers; report findings and next steps',
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options: ConfigOptions & { readonly json?: boolean }) => {
      const { config = DEFAULT_CONFIG_FILE, json = false } = options;
      const { runDoctor } = await import('../doctor/doctor.ts');
      exitWith(await runDoctor(config, { json }, terminal));
    });
}

function addHealth(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  newCommand(program, 'health', ['doorward health --config /etc/doorward/doorward.yaml'])
    .description('ask the running service whether it is ready; exit code 0 if it is, 1 if not')
    .addOption(configOption())
    .action(async ({ config = DEFAULT_CONFIG_FILE }: ConfigOptions) => {
      const { runHealth } = await import('./health.ts');
      exitWith(await runHealth(config, terminal));
    });
}

function parsePortOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > MAX_PORT)
    throw new InvalidArgumentError(
      `option '--port <port>' is invalid: "${text}" is not a port between 1 and 65535`,
    );
  return port;
}

const MAX_PORT = 65_535;
