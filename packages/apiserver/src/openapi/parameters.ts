/** A parameter of a path or a query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
  /** Its name among the shared parameters of a v2 document. Absent: written inline at each use. */
  readonly shared?: string;
}

function query(name: string, type: Parameter['type'], suffix: string | undefined, description: string): Parameter {
  return { name, in: 'query', type, description, ...(suffix === undefined ? {} : { shared: `${name}-${suffix}` }) };
}

export const pretty = query('pretty', 'string', 'tJGM1-ng', "'true' indents the JSON.");

export const name: Parameter = { name: 'name', in: 'path', type: 'string', description: 'Name of the object.' };

export const namespace: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'Namespace of the objects.',
  shared: 'namespace-vgWSWtn3',
};

export const proxiedPath: Parameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  description: 'The path at the target.',
  shared: 'path-z6Ciiujn',
};

const labelSelector = query('labelSelector', 'string', '5Zw57w4C', 'Only objects whose labels match.');
const fieldSelector = query('fieldSelector', 'string', 'xIcQKXFG', 'Only objects whose fields match.');
const limit = query('limit', 'integer', '1NfNmdNH', 'The most objects on a page; continue gets the next page.');
const continueToken = query('continue', 'string', 'QfD61s0i', 'The token of the next page, from the page before.');
const timeoutSeconds = query('timeoutSeconds', 'integer', 'yvYezaOC', 'The timeout of the list or watch.');
const shardSelector = query('shardSelector', 'string', 'Kgyki_3_', 'Only objects of one shard.');
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'rLXlEK_k',
  'A watch begins with the current objects and a bookmark.',
);
const resourceVersion = query(
  'resourceVersion',
  'string',
  '5WAnf1kx',
  'The version of the state to read, or to watch from.',
);
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  't8XhRHeC',
  'How resourceVersion is compared: Exact or NotOlderThan.',
);

/** Parameters of lists and watches. */
export const listParameters: readonly Parameter[] = [
  query('allowWatchBookmarks', 'boolean', 'HC2hJt-J', 'Send bookmark events.'),
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
  query('watch', 'boolean', 'XNNPZGbK', 'Send changes as they happen.'),
];

// Old versions of kubectl detect server features by these two, and do not follow references.
const dryRun = query('dryRun', 'string', undefined, "'All' does everything except storing the result.");
const fieldValidation = query(
  'fieldValidation',
  'string',
  undefined,
  'What happens with unknown and duplicate fields: Ignore, Warn or Strict.',
);

/** Parameters of creates and updates. */
export const writeParameters: readonly Parameter[] = [
  dryRun,
  query('fieldManager', 'string', 'Qy4HdaTW', 'The field manager of the change.'),
  fieldValidation,
];

export const patchParameters: readonly Parameter[] = [
  dryRun,
  query('fieldManager', 'string', '7c6nTn1T', 'The field manager of the change; required for an apply.'),
  fieldValidation,
  query('force', 'boolean', 'tOGGb0Yi', 'An apply takes over fields that other managers own.'),
];

export const deleteParameters: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'integer', '-K5HaBOS', 'The grace period; 0 deletes at once.'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'boolean',
    'QbNkfIqj',
    'Delete an object that cannot be read from the store.',
  ),
  query('orphanDependents', 'boolean', 'uRB25kX5', 'Old form of propagationPolicy.'),
  query('propagationPolicy', 'string', '6jk3prlO', 'What happens with dependents: Orphan, Background or Foreground.'),
];

export const deleteCollectionParameters: readonly Parameter[] = [
  ...deleteParameters,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
];

const containerText = 'The container. Default: the only one.';

/** Extra parameters of single subresources, by `resource/subresource`. */
export const subresourceParameters: ReadonlyMap<string, readonly Parameter[]> = new Map([
  [
    'pods/attach',
    [
      query('container', 'string', '_Q-EJ3nR', containerText),
      query('stderr', 'boolean', '26jJhFUR', 'Stream standard error.'),
      query('stdin', 'boolean', 'sEFnN3IS', 'Stream standard input.'),
      query('stdout', 'boolean', '005YMKE6', 'Stream standard output.'),
      query('tty', 'boolean', 'g7MlET_l', 'Whether the container runs in a terminal.'),
    ],
  ],
  [
    'pods/exec',
    [
      query('command', 'string', 'Py3eQybp', 'The command, one word in each parameter.'),
      query('container', 'string', 'i5dOmRiM', containerText),
      query('stderr', 'boolean', 'W_1TNlWc', 'Stream standard error.'),
      query('stdin', 'boolean', 'PSzNhyUC', 'Stream standard input.'),
      query('stdout', 'boolean', '-EZLRwV1', 'Stream standard output.'),
      query('tty', 'boolean', 's0flW37O', 'Run in a terminal.'),
    ],
  ],
  [
    'pods/log',
    [
      query('container', 'string', '1GeXxFDC', containerText),
      query('follow', 'boolean', '9OIXh_2R', 'Send new lines as they are written.'),
      query('insecureSkipTLSVerifyBackend', 'boolean', 'gM00jVbe', 'Trust any certificate of the node.'),
      query('limitBytes', 'integer', 'zwd1RXuc', 'The most bytes to send.'),
      query('previous', 'boolean', '1jxDPu3y', 'Read the log from before the last restart of the container.'),
      query('sinceSeconds', 'integer', 'vE2NLdnP', 'Only the lines of the last seconds.'),
      query('stream', 'string', 'l-48cgXv', 'The output: All, Stdout or Stderr.'),
      query('tailLines', 'integer', '9xQLWHMV', 'Only the last lines.'),
      query('timestamps', 'boolean', 'c17fW1w_', 'Begin each line with its time.'),
    ],
  ],
  ['pods/portforward', [query('ports', 'integer', '91KROJmm', 'Ports to forward.')]],
  ['pods/proxy', [query('path', 'string', 'oPbzgLUj', 'The path at the pod.')]],
  ['services/proxy', [query('path', 'string', 'QCf0eosM', 'The path at the service.')]],
  ['nodes/proxy', [query('path', 'string', 'rFDtV0x9', 'The path at the node.')]],
]);
