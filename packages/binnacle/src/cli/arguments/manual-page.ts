import { type CommandNode, everyCommand } from './command-tree.js';

/** The page of `man binnacle`, in roff. */
export function renderManualPage(root: CommandNode): string {
  const commands = Array.from(everyCommand(root)).filter(({ path }) => path.length > 0);
  return [
    '.\\" Made by `npm run generate` from the options of the command.',
    '.TH BINNACLE 1 "" "Binnacle" "User commands"',
    '.SH NAME',
    'binnacle \\- a Kubernetes API server that needs only Node.js',
    '.SH SYNOPSIS',
    '.B binnacle',
    '.I COMMAND',
    '.RI [ OPTION ]...',
    '.SH COMMANDS',
    ...commands.flatMap(({ node, path }) => section(node, path)),
    '.SH EXIT STATUS',
    '0: success. 1: failure; standard error says why. 2: the command line is wrong.',
    '',
  ].join('\n');
}

function section({ parameters, description, options }: CommandNode, path: readonly string[]): string[] {
  return [
    `.SS ${text(['binnacle', ...path, ...parameters].join(' '))}`,
    `${text(description)}.`,
    ...options.flatMap(({ long, short, value, description: meaning }) => [
      '.TP',
      `.B ${text([short, long].filter((name) => name !== undefined).join(', '))}${value === undefined ? '' : ` \\fI${text(value)}\\fR`}`,
      text(meaning),
    ]),
  ];
}

/** Escapes what roff would read as its own: backslashes, dashes, and a dot or quote at the start of a line. */
function text(plain: string): string {
  return plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
