import type { Command } from 'commander';

/** A command as help shows it, for what is derived from help: completions and the manual page. */
export interface CommandNode {
  readonly name: string;
  readonly description: string;
  /** As in `<FILE>`; with brackets where it may be left out. */
  readonly parameters: readonly string[];
  /** The only values of the first parameter; empty: any. */
  readonly choices: readonly string[];
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** `--namespace`. */
  readonly long: string;
  /** `-n`. */
  readonly short: string | undefined;
  /** `NAMESPACE`; in brackets where it may be left out. Undefined: the option takes no value. */
  readonly value: string | undefined;
  readonly description: string;
}

/** Leaves out hidden options, and the help of each command. */
export function commandTree(command: Command): CommandNode {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    parameters: command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? name : `[${name}]`;
    }),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map(({ flags, long, short, description }) => ({
        long: long ?? '',
        short,
        value: /[ ]([[<].*)$/.exec(flags)?.[1]?.replace(/[<>]/g, ''),
        description,
      })),
    commands: help
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
      .map(commandTree),
  };
}

/** The command and those below it, each with the names that lead to it: `['store', 'check']`. */
export function* everyCommand(
  node: CommandNode,
  path: readonly string[] = [],
): Generator<{ readonly node: CommandNode; readonly path: readonly string[] }> {
  yield { node, path };
  for (const each of node.commands) yield* everyCommand(each, [...path, each.name]);
}
