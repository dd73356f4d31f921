import type { Command } from 'commander';
import { invalid, parseMilliseconds, parseNumber, valueOption } from './option-values.js';
import { dataDirectoryDefault } from './options/storage-options.js';

/** The arguments of `binnacle store`. The default data directory is that of `serve`. */
export type StoreRequest = { readonly dataDirectory?: string } & (
  | { readonly action: 'check' }
  | { readonly action: 'repair' }
  | { readonly action: 'compact'; readonly keepMs?: number }
  | { readonly action: 'purge'; readonly kind: string; readonly name: string }
  | { readonly action: 'backup'; readonly file: string }
  | { readonly action: 'restore'; readonly file: string; readonly bumpRevision?: number }
);

interface StoreCommand {
  readonly action: StoreRequest['action'];
  /** The names of its arguments, all required. */
  readonly takes: readonly string[];
  /** One sentence without a full stop. */
  readonly description: string;
  /** Whether a server may use the data directory at the same time. */
  readonly running: string;
}

/** The commands under `binnacle store`. Parsing, help and documentation all use this table. */
export const storeCommands: readonly StoreCommand[] = [
  {
    action: 'check',
    takes: [],
    description: 'read the whole store and report damage; changes nothing',
    running: 'yes',
  },
  {
    action: 'repair',
    takes: [],
    description: 'rebuild a damaged store from its sound records; keeps the damaged file',
    running: 'no',
  },
  {
    action: 'compact',
    takes: [],
    description: 'remove history and return its space to the file system',
    running: 'no',
  },
  {
    action: 'purge',
    takes: ['KIND', 'NAME'],
    description: 'remove all past versions of a deleted object; NAME is NAMESPACE/NAME, such as secret default/db',
    running: 'no',
  },
  {
    action: 'backup',
    takes: ['FILE'],
    description: 'write all objects at one revision to FILE, without history',
    running: 'yes',
  },
  {
    action: 'restore',
    takes: ['FILE'],
    description: 'create a store from a backup, in an empty or absent data directory',
    running: 'no',
  },
];

/** As commander spells the names of the options. */
interface Values {
  readonly dataDir?: string;
  readonly bumpRevision?: number;
  readonly keep?: number;
}

/** Returns the command, which needs one of its own commands. */
export function defineStore(program: Command, found: (request: StoreRequest) => void): Command {
  const store = program
    .command('store')
    .description('check, repair, compact, purge, back up or restore the store in a data directory')
    .helpCommand('help [command]', 'show help');
  for (const { action, takes, description } of storeCommands) {
    const command = store
      .command([action, ...takes.map((name) => `<${name}>`)].join(' '))
      .description(description)
      .option('--data-dir <DIR>', `the data directory of the server (default: ${dataDirectoryDefault})`);
    // Upstream: etcdutl's `--bump-revision`.
    if (action === 'restore') {
      command.addOption(
        valueOption(
          '--bump-revision <NUMBER>',
          'add NUMBER to the revision, so that clients of the lost store list again; 1000000000 is enough (default: 0)',
          parseNumber,
        ),
      );
    }
    if (action === 'compact') {
      command.addOption(
        valueOption(
          '--keep <DURATION>',
          'keep the history of this long, such as 1h (default: none)',
          parseMilliseconds,
        ),
      );
    }
    command.action(() => {
      const empty = takes.find((_, index) => command.args[index] === '');
      if (empty !== undefined) throw invalid(`${empty} is empty`);
      found(toRequest(action, command.args, command.opts<Values>()));
    });
  }
  return store;
}

function toRequest(
  action: StoreRequest['action'],
  args: readonly string[],
  { dataDir, bumpRevision, keep }: Values,
): StoreRequest {
  if (dataDir === '') throw invalid('--data-dir is empty');
  const [first = '', second = ''] = args;
  const where = dataDir === undefined ? {} : { dataDirectory: dataDir };
  if (action === 'restore')
    return { ...where, action, file: first, ...(bumpRevision === undefined ? {} : { bumpRevision }) };
  if (action === 'compact') return { ...where, action, ...(keep === undefined ? {} : { keepMs: keep }) };
  if (action === 'purge') return { ...where, action, kind: first, name: second };
  return action === 'backup' ? { ...where, action, file: first } : { ...where, action };
}
