// The install matrix of README.md: for each form the command that installs it.

/** By form, as README.md names it. Throws where the table lacks one. */
export function installCommands(readme: string): Readonly<Record<Form, string>> {
  const rows = [...readme.matchAll(/^\| ([A-Z][\w ]+|npm package) +\| [^|]+ \| `([^`]+)` +\|$/gm)];
  const commandOf = (form: Form): string => {
    const command = rows.find(([, name]) => name === form)?.[2];
    if (command === undefined) throw new Error(`Cannot find how README.md installs the form ${form}`);
    return command;
  };
  return {
    Executable: commandOf('Executable'),
    'Debian package': commandOf('Debian package'),
    Image: commandOf('Image'),
    'npm package': commandOf('npm package'),
  };
}

/** How README.md starts a command in the image: all before the command itself. Throws where it does not. */
export function imageCommand(readme: string): string {
  const [, start] = /^With the image: `(podman run [^`]+?) quickstart [^`]*`\.$/m.exec(readme) ?? [];
  if (start === undefined) throw new Error('Cannot find how README.md runs the image');
  return start;
}

export type Form = 'Executable' | 'Debian package' | 'Image' | 'npm package';
