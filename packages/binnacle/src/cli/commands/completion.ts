import type { Shell } from '../arguments/command-line.js';
import { type CommandNode, everyCommand, type OptionNode } from '../arguments/command-tree.js';

/** `binnacle completion`: a script for the shell. Words that are neither a command nor an option complete to files. */
export function completionScript(shell: Shell, root: CommandNode): string {
  return scripts[shell](root);
}

const scripts: Readonly<Record<Shell, (root: CommandNode) => string>> = { bash, zsh, fish };

function bash(root: CommandNode): string {
  const cases = Array.from(everyCommand(root), ({ node, path }) => {
    const words = [...namesIn(node), ...node.options.flatMap(spellings), '--help'];
    return `    ${pattern(node, path)}) words=${quoted(words.join(' '))} ;;`;
  });
  return `# Completes binnacle in bash: source <(binnacle completion bash)
_binnacle() {
  local word=\${COMP_WORDS[COMP_CWORD]} place= words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ \${COMP_WORDS[index]} == -* ]] && break
    place+="\${place:+ }\${COMP_WORDS[index]}"
  done
  case $place in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ $word == -* || $words != -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o default -F _binnacle binnacle
`;
}

function zsh(root: CommandNode): string {
  const cases = Array.from(everyCommand(root), ({ node, path }) => {
    const commands = [
      ...node.commands.map(({ name, description }) => entry(name, description)),
      ...node.choices.map(quoted),
    ];
    const options = node.options.flatMap((option) =>
      spellings(option).map((text) => entry(text, summary(option.description))),
    );
    return `    ${pattern(node, path)})
      names=(${commands.join(' ')})
      flags=(${[...options, entry('--help', 'show help')].join(' ')}) ;;`;
  });
  return `#compdef binnacle
# Completes binnacle in zsh: source <(binnacle completion zsh)
_binnacle() {
  local -a names flags
  local place= index
  for ((index = 2; index < CURRENT; index++)); do
    [[ \${words[index]} == -* ]] && break
    place+="\${place:+ }\${words[index]}"
  done
  case $place in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option flags
  elif (( \${#names} )); then _describe command names
  else _files
  fi
}
if [[ \${funcstack[1]} == _binnacle ]]; then _binnacle "$@"; else compdef _binnacle binnacle; fi
`;
}

function fish(root: CommandNode): string {
  const lines = Array.from(everyCommand(root), ({ node, path }) => {
    const names = node.commands.map(({ name }) => name);
    const here =
      path.length === 0
        ? '__fish_use_subcommand'
        : path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    const without =
      path.length > 0 && names.length > 0 ? `; and not __fish_seen_subcommand_from ${names.join(' ')}` : '';
    return [
      ...node.commands.map(
        ({ name, description }) =>
          `complete -c binnacle -n ${fishQuoted(here + without)} -f -a ${name} -d ${fishQuoted(description)}`,
      ),
      ...node.choices.map((name) => `complete -c binnacle -n ${fishQuoted(here)} -f -a ${name}`),
      ...node.options.map(({ long, short, value, description }) => {
        const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
        const needs = value === undefined || value.startsWith('[') ? '' : ' -r';
        return `complete -c binnacle -n ${fishQuoted(here)} ${names}${needs} -d ${fishQuoted(summary(description))}`;
      }),
    ];
  });
  return `# Completes binnacle in fish: binnacle completion fish | source
${lines.flat().join('\n')}
`;
}

/** What may follow a command: its subcommands, or the values of its parameter. */
const namesIn = ({ commands, choices }: CommandNode): readonly string[] => [
  ...commands.map(({ name }) => name),
  ...choices,
];

/** The words before the current one. After a command without subcommands, any may follow. */
function pattern({ commands }: CommandNode, path: readonly string[]): string {
  const place = quoted(path.join(' '));
  return commands.length > 0 ? place : `${place}|${place}' '*`;
}

const spellings = ({ long, short }: OptionNode): string[] => (short === undefined ? [long] : [short, long]);

/** A description without what follows its first clause. */
const summary = (description: string): string => description.replace(/(?:;| \(default: ).*$/, '');

const entry = (name: string, description: string): string => quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
