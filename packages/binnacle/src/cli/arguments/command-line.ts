import { parseDuration, TimeParseError } from '@binnacle/apimachinery/time';
import { MOST_NODES } from '@binnacle/nodes/node/limits';
import { isIP } from 'node:net';
import { Argument, Command, CommanderError, Option } from 'commander';
import type { StartOptions } from '../../embed/index.js';
import type { HistoryRequest } from '../../history/requests/index.js';
import { programs } from '../../envtest/index.js';
import { type CommandNode, commandTree } from './command-tree.js';
import { completionDescription, type Shell, shells } from './completion-request.js';
import { type ConsoleRequest, defineConsole, serveConsoleOption } from './console-request.js';
import {
  accountCredentialsDescription,
  controllerManagerDescription,
  type ControllerManagerRequest,
  controllersDescription,
  healthAddressDescription,
  type HostAndPort,
  kubeconfigDescription,
  leaderElectDescription,
  loadBalancerIPRangeDescription,
  rootCaFileDescription,
  serviceAccountKeyDescription,
} from './controller-manager-request.js';
import {
  assetsDescription,
  assetsDirectoryDefault,
  envtestDescription,
  type EnvtestRequest,
  programDescription,
} from './envtest-request.js';
import { defineHistory, historyCommands } from './history-commands.js';
import { loopOptions, type LoopValues } from './loop-options.js';
import {
  nodesCountDescription,
  nodesDescription,
  nodesKubeconfigDescription,
  nodesKubeletAddressDescription,
  nodesMetricsDescription,
  type NodesRequest,
} from './nodes-request.js';
import {
  dataDirectoryDefault,
  defaultSecurePort,
  doctorDescription,
  optionUsage,
  type ServeOption,
  serveOptions,
} from './serve-options.js';
import {
  schedulerConfigDescription,
  schedulerDescription,
  schedulerKubeconfigDescription,
  schedulerLeaderElectDescription,
  type SchedulerRequest,
} from './scheduler-request.js';
import {
  parseTarget,
  resolveDescription,
  resolveKubeconfigDescription,
  resolveNamespaceDescription,
  resolveOutputDescription,
  type ResolveRequest,
  resolveTargetDescription,
} from './resolve-request.js';
import {
  simulateDescription,
  simulateHistoryDescription,
  simulateNodesDescription,
  type SimulateRequest,
  simulateSeedDescription,
  simulateSeedsDescription,
  simulateUntilDescription,
} from './simulate-request.js';
import { defineTop, type TopRequest } from './top-request.js';
import { idleFlags, missingFlags, type UpstreamFlag } from './upstream-flags.js';
import {
  bumpRevisionDescription,
  keepDescription,
  storeCommands,
  type StoreRequest,
  toStoreRequest,
} from './store-request.js';
import { testServersDescription } from './test-servers-request.js';
import {
  contextDescription,
  fromServerDescription,
  typesDescription,
  type TypesRequest,
  verifyDescription,
} from './types-request.js';

/** The parsed command line. `text` is ready to print. */
export type Request =
  /** `warnings`: one sentence for each flag that has no effect. */
  | {
      readonly command: 'serve';
      readonly options: StartOptions;
      readonly console?: true;
      readonly warnings?: readonly string[];
    }
  | { readonly command: 'controller-manager'; readonly request: ControllerManagerRequest }
  | { readonly command: 'scheduler'; readonly request: SchedulerRequest }
  | { readonly command: 'doctor'; readonly options: StartOptions }
  | { readonly command: 'nodes'; readonly request: NodesRequest }
  | { readonly command: 'console'; readonly request: ConsoleRequest }
  | { readonly command: 'top'; readonly request: TopRequest }
  | { readonly command: 'resolve'; readonly request: ResolveRequest }
  | { readonly command: 'simulate'; readonly request: SimulateRequest }
  | { readonly command: 'history'; readonly request: HistoryRequest }
  | { readonly command: 'store'; readonly request: StoreRequest }
  | { readonly command: 'types'; readonly request: TypesRequest }
  | { readonly command: 'envtest'; readonly request: EnvtestRequest }
  | { readonly command: 'test-servers' }
  | { readonly command: 'completion'; readonly shell: Shell }
  | { readonly command: 'version'; readonly output?: 'json' }
  | { readonly command: 'help'; readonly text: string }
  | { readonly command: 'wrong'; readonly text: string };

/** Commands with their own options. */
const withHelp: readonly string[] = [
  'serve',
  'doctor',
  'controller-manager',
  'scheduler',
  'nodes',
  'console',
  'top',
  'resolve',
  'simulate',
  ...historyCommands.map(({ name }) => name),
  'store',
  'types',
  'envtest',
  'test-servers',
  'completion',
];

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
    program.parse(args, { from: 'user' });
    return request ?? { command: 'wrong', text: program.helpInformation() };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code.startsWith('commander.help')) return { command: 'help', text: output };
    return { command: 'wrong', text: explainMistake(error, args[0] ?? '') };
  }
}

/** All commands and options that help shows. */
export function describeCommands(): CommandNode {
  const ignore = () => undefined;
  return commandTree(defineCommands(ignore, ignore).program);
}

function explainMistake(error: CommanderError, command: string): string {
  // Commander puts a suggestion for a mistyped name on its own line.
  const reason = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return `binnacle: ${reason}; see binnacle ${withHelp.includes(command) ? `${command} ` : ''}--help\n`;
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
  defineServe(program.command('serve'), found);
  defineDoctor(program.command('doctor'), found);
  defineControllerManager(program.command('controller-manager'), found);
  defineScheduler(program.command('scheduler'), found);
  defineNodes(program.command('nodes'), found);
  const foundConsole = (request: ConsoleRequest) => found({ command: 'console', request });
  defineConsole(program.command('console'), foundConsole, { parsePort: parsePort('port'), invalid });
  defineTop(program.command('top'), (request) => found({ command: 'top', request }), invalid);
  defineResolve(program.command('resolve <TARGET>'), found);
  defineSimulate(program.command('simulate <FILE>'), found);
  defineHistory(program, (request) => found({ command: 'history', request }), invalid);
  const store = program.command('store');
  defineStore(store, found);
  defineTypes(program.command('types [FILE...]'), found);
  const envtest = program.command('envtest');
  defineEnvtest(envtest, found);
  program
    .command('test-servers')
    .description(testServersDescription)
    .action(() => found({ command: 'test-servers' }));
  defineCompletion(program.command('completion'), found);
  program
    .command('version')
    .description('print the versions of Binnacle, the Kubernetes API and Node.js')
    .addOption(new Option('-o, --output <FORMAT>', 'json prints an object instead of a line').choices(['json']))
    .action((given: { readonly output?: 'json' }) => found({ command: 'version', ...given }));
  return { program, groups: [store, envtest] };
}

function defineServe(command: Command, found: Found): void {
  command.description('serve the Kubernetes API until SIGTERM or SIGINT');
  for (const option of serveOptions) command.addOption(toCommanderOption(option));
  const { name, default: byDefault, description } = serveConsoleOption;
  const withConsole = new Option(`--${name} [BOOLEAN]`, `${description} (default: ${byDefault})`);
  command.addOption(withConsole.argParser(parseSwitch(name)));
  const warnings: string[] = [];
  const hidden = (flag: UpstreamFlag, given: () => void): Option => {
    const usage = `--${flag.name} ${flag.isSwitch === true ? '[BOOLEAN]' : '<VALUE>'}`;
    const option = new Option(usage).hideHelp().preset('true');
    return option.argParser(given);
  };
  for (const flag of idleFlags) {
    command.addOption(hidden(flag, () => warnings.push(`--${flag.name} has no effect: ${flag.why}`)));
  }
  for (const flag of missingFlags) {
    command.addOption(
      hidden(flag, () => {
        throw invalid(`--${flag.name} is not supported: ${flag.why}`);
      }),
    );
  }
  command.action((values: Record<string, unknown>) => {
    found({
      command: 'serve',
      options: toStartOptions(values),
      ...(values['console'] === undefined || values['console'] === false ? {} : { console: true }),
      ...(warnings.length === 0 ? {} : { warnings }),
    });
  });
}

function defineDoctor(command: Command, found: Found): void {
  command.description(doctorDescription);
  for (const option of serveOptions) command.addOption(toCommanderOption(option));
  command.action((values: Record<string, unknown>) => found({ command: 'doctor', options: toStartOptions(values) }));
}

function defineControllerManager(command: Command, found: Found): void {
  for (const option of loopOptions) command.addOption(toCommanderOption(option));
  command
    .description(controllerManagerDescription)
    .option('--kubeconfig <FILE>', kubeconfigDescription)
    .option('--controllers <LIST>', controllersDescription)
    .addOption(new Option('--healthz-bind-address <IP:PORT>', healthAddressDescription).argParser(parseHostAndPort))
    .addOption(new Option('--leader-elect [BOOLEAN]', leaderElectDescription).argParser(parseSwitch('leader-elect')))
    .addOption(
      new Option('--use-service-account-credentials [BOOLEAN]', accountCredentialsDescription).argParser(
        parseSwitch('use-service-account-credentials'),
      ),
    )
    .option('--root-ca-file <FILE>', rootCaFileDescription)
    .option('--service-account-private-key-file <FILE>', serviceAccountKeyDescription)
    .option('--load-balancer-ip-range <CIDR>', loadBalancerIPRangeDescription)
    .action((values: ControllerManagerValues) => {
      const settings: LoopValues = startOptionsOf(loopOptions, command.opts());
      const isEmpty = Object.keys(settings).length === 0;
      found({
        command: 'controller-manager',
        request: { ...toControllerManagerRequest(values), ...(isEmpty ? {} : { settings }) },
      });
    });
}

function defineScheduler(command: Command, found: Found): void {
  const leaderElect = new Option('--leader-elect [BOOLEAN]', schedulerLeaderElectDescription);
  command
    .description(schedulerDescription)
    .option('--kubeconfig <FILE>', schedulerKubeconfigDescription)
    .option('--config <FILE>', schedulerConfigDescription)
    .addOption(leaderElect.argParser(parseSwitch('leader-elect')))
    .action(({ leaderElect = true, ...files }: Partial<SchedulerRequest>) => {
      if (files.kubeconfig === '' || files.config === '') throw invalid('FILE is empty');
      found({ command: 'scheduler', request: { leaderElect, ...files } });
    });
}

function defineNodes(command: Command, found: Found): void {
  command
    .description(nodesDescription)
    .addOption(new Option('--count <NUMBER>', nodesCountDescription).argParser(parseNumber('count')))
    .option('--kubeconfig <FILE>', nodesKubeconfigDescription)
    .option('--kubelet-address <ADDRESS>', nodesKubeletAddressDescription)
    .addOption(new Option('--metrics [BOOLEAN]', nodesMetricsDescription).argParser(parseSwitch('metrics')))
    .action(({ count = 1, kubeconfig, kubeletAddress, metrics = true }: Partial<NodesRequest>) => {
      if (kubeconfig === '') throw invalid('FILE is empty');
      if (count < 1 || count > MOST_NODES) throw invalid(`--count must be from 1 to ${MOST_NODES}`);
      if (kubeletAddress !== undefined && isIP(kubeletAddress) === 0) {
        throw invalid('--kubelet-address must be an IP address');
      }
      found({
        command: 'nodes',
        request: {
          count,
          metrics,
          ...(kubeconfig === undefined ? {} : { kubeconfig }),
          ...(kubeletAddress === undefined ? {} : { kubeletAddress }),
        },
      });
    });
}

function defineResolve(command: Command, found: Found): void {
  command
    .description(`${resolveDescription}; TARGET is ${resolveTargetDescription}`)
    .option('-n, --namespace <NAMESPACE>', resolveNamespaceDescription)
    .option('--kubeconfig <FILE>', resolveKubeconfigDescription)
    .addOption(new Option('-o, --output <FORMAT>', resolveOutputDescription).choices(['json']))
    .action((text: string, given: Pick<ResolveRequest, 'namespace' | 'kubeconfig' | 'output'>) => {
      const target = parseTarget(text);
      if (target === undefined) throw invalid(`${JSON.stringify(text)} is not ${resolveTargetDescription}`);
      if (given.kubeconfig === '') throw invalid('FILE is empty');
      if (given.namespace === '') throw invalid('NAMESPACE is empty');
      found({ command: 'resolve', request: { ...target, ...given } });
    });
}

function defineSimulate(command: Command, found: Found): void {
  const numbers = [
    ['seed', simulateSeedDescription],
    ['seeds', simulateSeedsDescription],
    ['nodes', simulateNodesDescription],
    ['until', simulateUntilDescription],
  ] as const;
  for (const [name, description] of numbers)
    command.addOption(new Option(`--${name} <NUMBER>`, description).argParser(parseNumber(name)));
  command
    .description(simulateDescription)
    .option('--history <FILE>', simulateHistoryDescription)
    .action((file: string, { seed = 1, seeds = 1, ...others }: Partial<SimulateRequest>) => {
      if (file === '' || others.history === '') throw invalid('FILE is empty');
      if (seeds < 1) throw invalid('--seeds must be 1 or more');
      if ((others.nodes ?? 0) > MOST_NODES) throw invalid(`--nodes must be at most ${MOST_NODES}`);
      if (seeds > 1 && (others.until !== undefined || others.history !== undefined))
        throw invalid('--until and --history need a single seed');
      if (others.until === 0) throw invalid('--until must be 1 or more');
      found({ command: 'simulate', request: { file, seed, seeds, ...others } });
    });
}

function defineStore(store: Command, found: Found): void {
  store
    .description('check, repair, compact, purge, back up or restore the store in a data directory')
    .helpCommand('help [command]', 'show help');
  const dataDirectory = `the data directory of the server (default: ${dataDirectoryDefault})`;
  for (const { action, takes, description } of storeCommands) {
    const command = store
      .command([action, ...takes.map((name) => `<${name}>`)].join(' '))
      .description(description)
      .addOption(new Option('--data-dir <DIR>', dataDirectory));
    if (action === 'restore') {
      const option = new Option('--bump-revision <NUMBER>', bumpRevisionDescription);
      command.addOption(option.argParser(parseNumber('bump-revision')));
    }
    if (action === 'compact') {
      command.addOption(new Option('--keep <DURATION>', keepDescription).argParser(parseMilliseconds('keep')));
    }
    command.action(() => {
      const { dataDir, bumpRevision, keep } = command.opts<{
        dataDir?: string;
        bumpRevision?: number;
        keep?: number;
      }>();
      if (dataDir === '') throw invalid('--data-dir is empty');
      const empty = takes.find((_, index) => command.args[index] === '');
      if (empty !== undefined) throw invalid(`${empty} is empty`);
      const given = { args: command.args, dataDirectory: dataDir, bumpRevision, keepMs: keep };
      found({ command: 'store', request: toStoreRequest(action, given) });
    });
  }
}

function defineTypes(command: Command, found: Found): void {
  command
    .description(typesDescription)
    .option('--from-server', fromServerDescription)
    .option('--context <NAME>', contextDescription)
    .option('--verify <FILE>', verifyDescription)
    .action((files: readonly string[], values: TypesValues) => {
      found({ command: 'types', request: toTypesRequest(files, values) });
    });
}

function defineEnvtest(envtest: Command, found: Found): void {
  envtest.description(envtestDescription).helpCommand('help [command]', 'show help');
  envtest
    .command('assets')
    .argument('[DIR]', `the folder to write (default: ${assetsDirectoryDefault})`)
    .description(assetsDescription)
    .action((directory: string | undefined) => {
      if (directory === '') throw invalid('DIR is empty');
      const request = { action: 'assets', ...(directory === undefined ? {} : { directory }) } as const;
      found({ command: 'envtest', request });
    });
  for (const program of programs) {
    envtest
      .command(`${program} [ARGUMENT...]`)
      .description(programDescription(program))
      .action((args: readonly string[]) => {
        found({ command: 'envtest', request: { action: 'run', program, args } });
      });
  }
}

function defineCompletion(command: Command, found: Found): void {
  command
    .addArgument(new Argument('<SHELL>', 'bash, zsh or fish').choices(shells))
    .description(completionDescription)
    .action((shell: Shell) => found({ command: 'completion', shell }));
}

interface ControllerManagerValues {
  readonly kubeconfig?: string;
  readonly controllers?: string;
  readonly healthzBindAddress?: HostAndPort;
  readonly leaderElect?: boolean;
  readonly useServiceAccountCredentials?: boolean;
  readonly rootCaFile?: string;
  readonly serviceAccountPrivateKeyFile?: string;
  readonly loadBalancerIpRange?: string;
}

function toControllerManagerRequest(values: ControllerManagerValues): ControllerManagerRequest {
  const { serviceAccountPrivateKeyFile } = values;
  const files = [values.kubeconfig, values.rootCaFile, serviceAccountPrivateKeyFile];
  if (files.includes('')) throw invalid('FILE is empty');
  // The command line's library spells the option's name in its own way.
  const {
    kubeconfig,
    controllers = '*',
    leaderElect = true,
    useServiceAccountCredentials,
    rootCaFile,
    loadBalancerIpRange,
    healthzBindAddress,
  } = values;
  return {
    controllers,
    leaderElect,
    ...(useServiceAccountCredentials === undefined ? {} : { useServiceAccountCredentials }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(healthzBindAddress === undefined ? {} : { healthAddress: healthzBindAddress }),
    ...(rootCaFile === undefined ? {} : { rootCaFile }),
    ...(serviceAccountPrivateKeyFile === undefined ? {} : { serviceAccountPrivateKeyFile }),
    ...(loadBalancerIpRange === undefined ? {} : { loadBalancerIPRange: loadBalancerIpRange }),
  };
}

interface TypesValues {
  readonly fromServer?: true;
  readonly context?: string;
  readonly verify?: string;
}

function toTypesRequest(files: readonly string[], { fromServer, context, verify }: TypesValues): TypesRequest {
  if (files.length === 0 && fromServer === undefined) throw invalid('neither FILE nor --from-server is given');
  if ([...files, verify].includes('')) throw invalid('FILE is empty');
  if (context !== undefined && fromServer === undefined) throw invalid('--context is given without --from-server');
  return {
    files,
    ...(fromServer === undefined ? {} : { server: context === undefined ? {} : { context } }),
    ...(verify === undefined ? {} : { verify }),
  };
}

function toCommanderOption(option: ServeOption): Option {
  // As with upstream's flags, =true or =false may follow a switch.
  const flags =
    option.type === 'switch' ? `--${option.name} [BOOLEAN]` : optionUsage(option).replace(/ (\S*)$/, ' <$1>');
  const suffix = option.default === undefined ? '' : ` (default: ${option.default})`;
  const result = new Option(flags, option.description + suffix);
  const parser = parsers[option.type];
  return parser === undefined ? result : result.argParser(parser(option.name));
}

/** The parser of each type; texts need none. */
const parsers: Readonly<
  Record<ServeOption['type'], ((name: string) => (text: string, before: unknown) => unknown) | undefined>
> = {
  text: undefined,
  texts: () => (text, before) => [...(isTexts(before) ? before : []), text],
  port: parsePort,
  seconds: parseSeconds,
  duration: parseMilliseconds,
  bytes: parseBytes,
  rate: parseRate,
  decimal: parseDecimal,
  share: parseShare,
  count: parseNumber,
  switch: parseSwitch,
};

function parseHostAndPort(text: string): HostAndPort {
  const [, inBrackets, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):([0-9]{1,5})$/i.exec(text) ?? [];
  const host = inBrackets ?? plain ?? '';
  const port = Number(digits);
  if (isIP(host) === (inBrackets === undefined ? 4 : 6) && port <= 65535) return { host, port };
  throw invalid(
    `--healthz-bind-address ${JSON.stringify(text)} is not an address: give IP:PORT, such as 127.0.0.1:10257 or [::1]:10257`,
  );
}

function parsePort(name: string): (text: string) => number {
  return (text) => {
    const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (port <= 65535) return port;
    throw invalid(
      `--${name} ${JSON.stringify(text)} is not a port: give a number from 1 to 65535, or 0 for any free port`,
    );
  };
}

function parseSeconds(name: string): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,9}$/.test(text)) return Number(text);
    throw invalid(`--${name} ${JSON.stringify(text)} is not a number of seconds: give 0 or more, without a unit`);
  };
}

function parseNumber(name: string): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,15}$/.test(text)) return Number(text);
    throw invalid(`--${name} ${JSON.stringify(text)} is not a number: give 0 or more`);
  };
}

const decimal = /^[0-9]{1,9}([.][0-9]{1,9})?$/;

function parseRate(name: string): (text: string) => number {
  return (text) => {
    if (/^[0-9]{1,9}([.][0-9]{1,3})?$/.test(text) && Number(text) >= 1) return Number(text);
    throw invalid(`--${name} ${JSON.stringify(text)} is not a rate: give a number, 1 or more`);
  };
}

function parseDecimal(name: string): (text: string) => number {
  return (text) => {
    if (decimal.test(text)) return Number(text);
    throw invalid(`--${name} ${JSON.stringify(text)} is not a number: give 0 or more, such as 0.1`);
  };
}

function parseShare(name: string): (text: string) => number {
  return (text) => {
    if (decimal.test(text) && Number(text) <= 1) return Number(text);
    throw invalid(`--${name} ${JSON.stringify(text)} is not a share: give a number from 0 to 1, such as 0.5`);
  };
}

function parseBytes(name: string): (text: string) => number {
  return (text) => {
    const bytes = bytesOf(text);
    if (Number.isSafeInteger(bytes)) return bytes;
    throw invalid(
      `--${name} ${JSON.stringify(text)} is not a size: give a number of bytes, or one with a unit, such as 512Mi or 2Gi`,
    );
  };
}

function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^([0-9]{1,15})(Ki|Mi|Gi|Ti)?$/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * 1024 ** ['', 'Ki', 'Mi', 'Gi', 'Ti'].indexOf(unit);
}

function parseMilliseconds(name: string): (text: string) => number {
  return (text) => {
    const milliseconds = durationOf(text);
    if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
    throw invalid(
      `--${name} ${JSON.stringify(text)} is not a duration: give 0 or more, with a unit, such as 90s or 1h30m`,
    );
  };
}

function durationOf(text: string): number | undefined {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

function parseSwitch(name: string): (text: string) => boolean {
  return (text) => {
    if (text === 'true' || text === 'false') return text === 'true';
    throw invalid(`--${name} ${JSON.stringify(text)} is neither true nor false`);
  };
}

function invalid(message: string): CommanderError {
  return new CommanderError(2, 'binnacle.invalid', message);
}

function toStartOptions(values: Readonly<Record<string, unknown>>): StartOptions {
  return { securePort: defaultSecurePort, ...startOptionsOf(serveOptions, values) };
}

/** Maps values from commander's camel-case names to their fields. */
function startOptionsOf(options: readonly ServeOption[], values: Readonly<Record<string, unknown>>): StartOptions {
  const result: { -readonly [K in keyof StartOptions]: StartOptions[K] } = {};
  for (const option of options) {
    const value = values[option.name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (option.type === 'text' && typeof value === 'string') result[option.key] = value;
    else if (option.type === 'texts' && isTexts(value)) result[option.key] = value;
    else if (option.type === 'switch' && typeof value === 'boolean') result[option.key] = value;
    else if (isNumeric(option) && typeof value === 'number') result[option.key] = value;
  }
  return result;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

const numericTypes = ['port', 'seconds', 'duration', 'bytes', 'rate', 'decimal', 'share', 'count'] as const;

function isNumeric(option: ServeOption): option is Extract<ServeOption, { type: (typeof numericTypes)[number] }> {
  return numericTypes.some((type) => type === option.type);
}
