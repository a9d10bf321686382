import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageFile from '../../package.json' with { type: 'json' };
import { imageCommand, installCommands } from './install-commands.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const { version } = packageFile;

test('installCommands() finds in README.md how each form is installed, in this version', () => {
  const commands = installCommands(readme);
  assert.match(commands.Executable, /install -m 755 doorward-linux-x64 \/usr\/local\/bin\/doorward$/);
  assert.equal(commands['Debian package'], `apt-get install ./doorward_${version}_amd64.deb`);
  assert.equal(commands['npm package'], `npm install -g ./doorward-${version}.tgz oidc-provider@9`);
  assert.equal(commands.Image, 'podman load -i doorward-image.tar');
  assert.match(imageCommand(readme), new RegExp(`^podman run .*--read-only doorward:${version}$`));
});
