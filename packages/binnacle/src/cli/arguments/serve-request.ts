import { type Command, Option } from 'commander';
import type { StartOptions } from '../../embed/index.js';
import { invalid, parseSwitch, valueOption } from './option-values.js';
import { startOptionsOf, toCommanderOption } from './serve-option.js';
import { serveOptions } from './serve-options.js';
import { idleFlags, missingFlags, type UpstreamFlag } from './upstream-flags.js';

/** The arguments of `binnacle serve`. */
export interface ServeRequest {
  readonly options: StartOptions;
  /** Serve the console beside the server. */
  readonly console?: true;
  /** One sentence for each flag that has no effect. */
  readonly warnings?: readonly string[];
}

/** The default on the command line. Programs that call `start()` get a free port instead. */
const DEFAULT_PORT = 6443;

/** Not among the options of {@link StartOptions}: the console is a program beside the server. */
export const serveConsoleOption = {
  name: 'console',
  default: 'false',
  description: 'serve a console for the browser on this machine, and print a link that opens it once',
} as const;

export function defineServe(program: Command, found: (request: ServeRequest) => void): void {
  const command = program.command('serve').description('serve the Kubernetes API until SIGTERM or SIGINT');
  for (const option of serveOptions) command.addOption(toCommanderOption(option));
  const { name, default: byDefault, description } = serveConsoleOption;
  command.addOption(valueOption(`--${name} [BOOLEAN]`, `${description} (default: ${byDefault})`, parseSwitch));
  const warnings: string[] = [];
  for (const flag of idleFlags) {
    command.addOption(hiddenOption(flag, () => warnings.push(`--${flag.name} has no effect: ${flag.why}`)));
  }
  for (const flag of missingFlags) {
    command.addOption(
      hiddenOption(flag, () => {
        throw invalid(`--${flag.name} is not supported: ${flag.why}`);
      }),
    );
  }
  command.action((values: Readonly<Record<string, unknown>>) => {
    found({
      options: toStartOptions(values),
      ...(values['console'] === undefined || values['console'] === false ? {} : { console: true }),
      ...(warnings.length === 0 ? {} : { warnings }),
    });
  });
}

/** `given` runs when the flag is given. */
function hiddenOption({ name, isSwitch }: UpstreamFlag, given: () => void): Option {
  const usage = `--${name} ${isSwitch === true ? '[BOOLEAN]' : '<VALUE>'}`;
  return new Option(usage).hideHelp().preset('true').argParser(given);
}

export function defineDoctor(program: Command, found: (options: StartOptions) => void): void {
  const command = program
    .command('doctor')
    .description(
      'explain what is wrong with a set-up: the machine, the options and their files, the port, the data directory, certificates and etcd; takes the options of serve',
    );
  for (const option of serveOptions) command.addOption(toCommanderOption(option));
  command.action((values: Readonly<Record<string, unknown>>) => found(toStartOptions(values)));
}

function toStartOptions(values: Readonly<Record<string, unknown>>): StartOptions {
  return { securePort: DEFAULT_PORT, ...startOptionsOf(serveOptions, values) };
}
