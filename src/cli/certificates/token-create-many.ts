// `doorward cert token create-many FILE`: a link for each person of a CSV. Nothing is made while a line is
// wrong.

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createTokens, labelIn, type TokenOutcome } from '../../client/create-tokens.ts';
import { type CertificatePerson, parseCertificatePeople } from '../../domain/certificate-people.ts';
import { csvLine } from '../../domain/csv-line.ts';
import { CERTIFICATE_ROLES } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { NewTokenObject } from '../../wire/certificate.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { readTextFile } from '../providers/definition-file.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type ForAll = Pick<NewTokenObject, 'organization' | 'validity' | 'expiresIn' | 'renewableFor' | 'apiRole'> & {
  readonly unit?: string;
};
type Options = ConnectionOptions & ForAll & { readonly json?: true };

export function addCertTokenCreateMany(token: Command, terminal: Terminal, exitWith: ExitWith): void {
  const command = newCommand(token, 'create-many', [
    'doorward cert token create-many people.csv > links.csv',
    'doorward cert token create-many people.csv --validity 90d --unit Sales --json',
  ])
    .description('create a token for each person of a CSV file; prints the links as CSV, only once')
    .argument('<file>', 'email,name,days: a person per line, at most 500; - reads standard input')
    .addOption(onceOption('--organization <name>', 'default: from the account’s rules'))
    .addOption(onceOption('--unit <name>', 'organizational unit'))
    .addOption(onceOption('--validity <duration>', 'of certificates without days (default: 30d)'))
    .addOption(onceOption('--expires-in <duration>', 'of the tokens (default: 24h, at most 7d)'))
    .addOption(
      onceOption('--renewable-for <duration>', 'how long the certificates may be renewed; none: never'),
    )
    .addOption(
      choiceOption(
        '--api-role <role>',
        'what the certificates may do without an API key (default: nothing)',
        CERTIFICATE_ROLES,
      ),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (file: string, options: Options) => {
      const people = peopleIn(await readTextFile(file));
      const list = randomBytes(LIST_BYTES).toString('hex');
      const wanted = people.map((person) => tokenFor(person, options, list));
      const { certificates } = await connect(terminal, options);
      const lines: Line[] = [];
      if (!options.json) terminal.out(csvLine(['email', 'name', 'link', 'valid until']));
      const came = (place: number, outcome: TokenOutcome): void => {
        const line = lineOf(people[place], outcome);
        lines[place] = line;
        // At once: whoever stops it has the links that were made.
        if (!options.json) print(terminal, line);
      };
      await createTokens(certificates, { wanted, earlier: [], came });
      if (options.json) printJson(terminal, { items: lines.map(jsonOf) });
      else if (lines.some(({ link }) => link !== null)) terminal.err(ONCE);
      if (lines.some(({ error }) => error !== null)) exitWith(FAILED);
    });
}

type Line = {
  readonly person: CertificatePerson | undefined;
  readonly link: string | null;
  readonly expiresAt: string | null;
  readonly error: string | null;
};

/** Throws `usage` with every line that is wrong. */
function peopleIn(text: string): readonly CertificatePerson[] {
  const { people, faults } = parseCertificatePeople(text);
  if (faults.length > 0)
    throw new ServiceError('usage', `Cannot create tokens: ${faultyText(faults.length)}`, {
      hint: faults
        .slice(0, MOST_SHOWN)
        .map(({ line, message }) => `Line ${line}: ${plain(message)}.`)
        .join('\n      '),
    });
  if (people.length === 0) throw new ServiceError('usage', 'Cannot create tokens: the file names nobody');
  return people;
}

function faultyText(lines: number): string {
  return lines === 1 ? '1 line has an error' : `${lines} lines have errors`;
}

function tokenFor(
  { email, commonName, days }: CertificatePerson,
  options: ForAll,
  list: string,
): NewTokenObject {
  const { organization, unit, validity, expiresIn, renewableFor, apiRole } = options;
  return {
    name: labelIn(list, commonName),
    commonName,
    emailAddress: email,
    organization,
    organizationalUnit: unit,
    validity: days === null ? validity : `${days}d`,
    expiresIn,
    renewableFor,
    apiRole,
  };
}

function lineOf(person: Line['person'], { made, error }: TokenOutcome): Line {
  if (made !== null) return { person, link: made.redeemUrl, expiresAt: made.expiresAt, error: null };
  const text = error instanceof Error ? error.message : 'it was not created';
  return { person, link: null, expiresAt: null, error: text };
}

function jsonOf({ person, link, expiresAt, error }: Line) {
  return { email: person?.email, commonName: person?.commonName, link, expiresAt, error };
}

function print(terminal: Terminal, { person, link, expiresAt, error }: Line): void {
  if (link === null) terminal.err(`error: ${plain(`${person?.email}: ${error}`)}\n`);
  else terminal.out(csvLine([person?.email ?? '', person?.commonName ?? '', link, expiresAt ?? '']));
}

const ONCE = '\nThe links are shown only once. Send each to its holder, over a secure channel.\n';
const MOST_SHOWN = 20;
const LIST_BYTES = 4;
const FAILED = 1;
