import { Argument, Command, CommanderError, Option } from 'commander';
import type { ClusterRequest } from '../../clusters/requests/index.js';
import type { StartOptions } from '../../embed/index.js';
import type { HistoryRequest } from '../../history/requests/index.js';
import { defineCluster } from './cluster-request.js';
import type { ImportRequest } from '../../transfer/requests/index.js';
import { type CommandNode, commandTree } from './command-tree.js';
import { type ConsoleRequest, defineConsole } from './console-request.js';
import { type ControllerManagerRequest, defineControllerManager } from './controller-manager-request.js';
import { defineEnvtest, type EnvtestRequest } from './envtest-request.js';
import { defineHistory } from './history-request.js';
import { defineImport } from './import-request.js';
import { defineNodes, type NodesRequest } from './nodes-request.js';
import { defineResolve, type ResolveRequest } from './resolve-request.js';
import { defineScheduler, type SchedulerRequest } from './scheduler-request.js';
import { defineDoctor, defineServe, type ServeRequest } from './serve-request.js';
import { defineSimulate, type SimulateRequest } from './simulate-request.js';
import { defineStore, type StoreRequest } from './store-request.js';
import { defineTop, type TopRequest } from './top-request.js';
import { defineTypes, type TypesRequest } from './types-request.js';

const shells = ['bash', 'zsh', 'fish'] as const;
/** A shell that has completions. */
export type Shell = (typeof shells)[number];

/** The parsed command line. `text` is ready to print. */
export type Request =
  | ({ readonly command: 'serve' } & ServeRequest)
  | { readonly command: 'doctor'; readonly options: StartOptions }
  | { readonly command: 'controller-manager'; readonly request: ControllerManagerRequest }
  | { readonly command: 'scheduler'; readonly request: SchedulerRequest }
  | { readonly command: 'nodes'; readonly request: NodesRequest }
  | { readonly command: 'console'; readonly request: ConsoleRequest }
  | { readonly command: 'top'; readonly request: TopRequest }
  | { readonly command: 'cluster'; readonly request: ClusterRequest }
  | { readonly command: 'resolve'; readonly request: ResolveRequest }
  | { readonly command: 'simulate'; readonly request: SimulateRequest }
  | { readonly command: 'history'; readonly request: HistoryRequest }
  | { readonly command: 'import'; readonly request: ImportRequest }
  | { readonly command: 'store'; readonly request: StoreRequest }
  | { readonly command: 'types'; readonly request: TypesRequest }
  | { readonly command: 'envtest'; readonly request: EnvtestRequest }
  | { readonly command: 'test-servers' }
  | { readonly command: 'worker' }
  | { readonly command: 'completion'; readonly shell: Shell }
  | { readonly command: 'version'; readonly output?: 'json' }
  | { readonly command: 'help'; readonly text: string }
  | { readonly command: 'wrong'; readonly text: string };

/** Reads the arguments that follow the command's name. Never prints and never exits. */
export function parseCommandLine(args: readonly string[]): Request {
  let request: Request | undefined;
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const { program, groups } = defineCommands(write, (parsed) => (request = parsed));
  try {
    if (args.length === 0) return { command: 'wrong', text: program.helpInformation() };
    const group = args.length === 1 ? groups.find((each) => each.name() === args[0]) : undefined;
    if (group !== undefined) return { command: 'wrong', text: group.helpInformation() };
    program.parse(untilUnknown(args, program, groups), { from: 'user' });
    return request ?? { command: 'wrong', text: program.helpInformation() };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code.startsWith('commander.help')) return { command: 'help', text: output };
    const command = program.commands.find((each) => each.name() === args[0]);
    return { command: 'wrong', text: explainMistake(error, command?.name()) };
  }
}

/** For an unknown command with `--help`, commander shows the help of its parent. Without the rest, it says that the command is unknown. */
function untilUnknown(args: readonly string[], program: Command, groups: readonly Command[]): readonly string[] {
  const group = groups.find((each) => each.name() === args[0]);
  const depth = group === undefined ? 0 : 1;
  const name = args[depth] ?? '';
  const { commands } = group ?? program;
  const isCommand = name !== 'help' && !name.startsWith('-');
  return isCommand && !commands.some((each) => each.name() === name) ? args.slice(0, depth + 1) : args;
}

/** All commands and options that help shows. */
export function describeCommands(): CommandNode {
  const ignore = () => undefined;
  return commandTree(defineCommands(ignore, ignore).program);
}

function explainMistake(error: CommanderError, command: string | undefined): string {
  // Commander puts a suggestion for a mistyped name on its own line.
  const reason = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return `binnacle: ${reason}; see binnacle ${command === undefined ? '' : `${command} `}--help\n`;
}

type Found = (request: Request) => void;

/** Defines all commands. They write help to `write`, and pass what they parse to `found`. `groups`: those that need a subcommand. */
function defineCommands(write: (text: string) => void, found: Found): { program: Command; groups: readonly Command[] } {
  const program = new Command('binnacle')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write })
    .configureHelp({ helpWidth: 110 })
    .description('A Kubernetes API server that needs only Node.js.')
    .helpCommand('help [command]', 'show help')
    .enablePositionalOptions();
  defineServe(program, (request) => found({ command: 'serve', ...request }));
  defineDoctor(program, (options) => found({ command: 'doctor', options }));
  defineControllerManager(program, (request) => found({ command: 'controller-manager', request }));
  defineScheduler(program, (request) => found({ command: 'scheduler', request }));
  defineNodes(program, (request) => found({ command: 'nodes', request }));
  defineConsole(program, (request) => found({ command: 'console', request }));
  defineTop(program, (request) => found({ command: 'top', request }));
  const cluster = defineCluster(program, (request) => found({ command: 'cluster', request }));
  defineResolve(program, (request) => found({ command: 'resolve', request }));
  defineSimulate(program, (request) => found({ command: 'simulate', request }));
  defineHistory(program, (request) => found({ command: 'history', request }));
  defineImport(program, (request) => found({ command: 'import', request }));
  const store = defineStore(program, (request) => found({ command: 'store', request }));
  defineTypes(program, (request) => found({ command: 'types', request }));
  const envtest = defineEnvtest(program, (request) => found({ command: 'envtest', request }));
  defineTools(program, found);
  return { program, groups: [cluster, store, envtest] };
}

/** The commands for other programs, and the version. */
function defineTools(program: Command, found: Found): void {
  // `serve --workers` starts it.
  program.command('worker', { hidden: true }).action(() => found({ command: 'worker' }));
  program
    .command('test-servers')
    .description(
      'run servers for the tests of other languages: reads requests as lines of JSON from standard input, and ends with it',
    )
    .action(() => found({ command: 'test-servers' }));
  program
    .command('completion')
    .addArgument(new Argument('<SHELL>', 'bash, zsh or fish').choices(shells))
    .description('print a script that completes commands and options: source it, or save it where the shell looks')
    .action((shell: Shell) => found({ command: 'completion', shell }));
  program
    .command('version')
    .description('print the versions of Binnacle, the Kubernetes API and Node.js')
    .addOption(new Option('-o, --output <FORMAT>', 'json prints an object instead of a line').choices(['json']))
    .action((given: { readonly output?: 'json' }) => found({ command: 'version', ...given }));
}
