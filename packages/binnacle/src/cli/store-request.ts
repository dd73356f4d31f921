/** What `binnacle store` is to do. Without a data directory it is the one that `serve` uses. */
export type StoreRequest = { readonly dataDirectory?: string } & (
  | { readonly action: 'check' }
  | { readonly action: 'repair' }
  | { readonly action: 'compact' }
  | { readonly action: 'backup'; readonly file: string }
  | { readonly action: 'restore'; readonly file: string; readonly bumpRevision?: number }
);

interface StoreCommand {
  readonly action: StoreRequest['action'];
  readonly takesFile: boolean;
  /** One sentence without a full stop. */
  readonly description: string;
  /** Whether a server may use the data directory meanwhile, in words. */
  readonly running: string;
}

/** The commands under `binnacle store`, as they are parsed, helped with and documented. */
export const storeCommands: readonly StoreCommand[] = [
  {
    action: 'check',
    takesFile: false,
    description: 'read everything in the store and test that it is sound; changes nothing',
    running: 'yes',
  },
  {
    action: 'repair',
    takesFile: false,
    description: 'rebuild a damaged store from all records that are sound; the damaged file stays beside it',
    running: 'no',
  },
  {
    action: 'compact',
    takesFile: false,
    description: 'forget all history and give its space back to the file system',
    running: 'no',
  },
  {
    action: 'backup',
    takesFile: true,
    description: 'write all objects, as they are at one moment, to FILE, without their history',
    running: 'yes',
  },
  {
    action: 'restore',
    takesFile: true,
    description: 'make a store out of a backup, in a data directory that is empty or absent',
    running: 'no',
  },
];

/** Of `restore` alone. Upstream: etcdutl's `--bump-revision`. */
export const bumpRevisionDescription =
  'go on at a revision so much higher, so that clients of the lost store read anew; 1000000000 is plenty (default: 0)';

/** The request of a command that was given what it takes. */
export function toStoreRequest(
  action: StoreRequest['action'],
  given: {
    readonly file: string;
    readonly dataDirectory: string | undefined;
    readonly bumpRevision: number | undefined;
  },
): StoreRequest {
  const { file, dataDirectory, bumpRevision } = given;
  const where = dataDirectory === undefined ? {} : { dataDirectory };
  if (action === 'restore') return { ...where, action, file, ...(bumpRevision === undefined ? {} : { bumpRevision }) };
  return action === 'backup' ? { ...where, action, file } : { ...where, action };
}
