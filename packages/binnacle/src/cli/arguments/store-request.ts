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

/** Only for `restore`. Upstream: etcdutl's `--bump-revision`. */
export const bumpRevisionDescription =
  'add NUMBER to the revision, so that clients of the lost store list again; 1000000000 is enough (default: 0)';

/** Only for `compact`. */
export const keepDescription = 'keep the history of this long, such as 1h (default: none)';

/** The request of a command with its arguments. */
export function toStoreRequest(
  action: StoreRequest['action'],
  given: {
    readonly args: readonly string[];
    readonly dataDirectory: string | undefined;
    readonly bumpRevision: number | undefined;
    readonly keepMs: number | undefined;
  },
): StoreRequest {
  const { args, dataDirectory, bumpRevision, keepMs } = given;
  const [first = '', second = ''] = args;
  const where = dataDirectory === undefined ? {} : { dataDirectory };
  if (action === 'restore')
    return { ...where, action, file: first, ...(bumpRevision === undefined ? {} : { bumpRevision }) };
  if (action === 'compact') return { ...where, action, ...(keepMs === undefined ? {} : { keepMs }) };
  if (action === 'purge') return { ...where, action, kind: first, name: second };
  return action === 'backup' ? { ...where, action, file: first } : { ...where, action };
}
