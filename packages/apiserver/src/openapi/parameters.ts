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

export const pretty = query('pretty', 'string', 'tJGM1-ng', "'true' indents the answer.");

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
  description: 'What of the target is asked for.',
  shared: 'path-z6Ciiujn',
};

const labelSelector = query('labelSelector', 'string', '5Zw57w4C', 'Only objects whose labels match.');
const fieldSelector = query('fieldSelector', 'string', 'xIcQKXFG', 'Only objects whose fields match.');
const limit = query('limit', 'integer', '1NfNmdNH', 'Most objects to answer with; the rest follows with continue.');
const continueToken = query('continue', 'string', 'QfD61s0i', 'Token of an earlier answer: go on where it ended.');
const timeoutSeconds = query('timeoutSeconds', 'integer', 'yvYezaOC', 'Ends the list or watch after this long.');
const shardSelector = query('shardSelector', 'string', 'Kgyki_3_', 'Only objects of one shard.');
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'rLXlEK_k',
  'A watch begins with the objects that there are, then a bookmark.',
);
const resourceVersion = query('resourceVersion', 'string', '5WAnf1kx', 'The version to answer from.');
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  't8XhRHeC',
  'How resourceVersion is meant: Exact or NotOlderThan.',
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
  query('watch', 'boolean', 'XNNPZGbK', 'Answer with changes as they happen.'),
];

// Old versions of kubectl detect server features by these two, and do not follow references.
const dryRun = query('dryRun', 'string', undefined, "'All' does everything but store the result.");
const fieldValidation = query(
  'fieldValidation',
  'string',
  undefined,
  'What becomes of unknown and duplicate fields: Ignore, Warn or Strict.',
);

/** Parameters of creates and updates. */
export const writeParameters: readonly Parameter[] = [
  dryRun,
  query('fieldManager', 'string', 'Qy4HdaTW', 'Name of who makes the change.'),
  fieldValidation,
];

export const patchParameters: readonly Parameter[] = [
  dryRun,
  query('fieldManager', 'string', '7c6nTn1T', 'Name of who makes the change; an apply needs one.'),
  fieldValidation,
  query('force', 'boolean', 'tOGGb0Yi', 'An apply takes over fields that others own.'),
];

export const deleteParameters: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'integer', '-K5HaBOS', 'Time to end before the object is gone; 0 is at once.'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'boolean',
    'QbNkfIqj',
    'Delete even what cannot be read from the store.',
  ),
  query('orphanDependents', 'boolean', 'uRB25kX5', 'Old form of propagationPolicy.'),
  query('propagationPolicy', 'string', '6jk3prlO', 'What becomes of dependents: Orphan, Background or Foreground.'),
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

const containerText = 'Which container; not needed when there is one.';

/** Extra parameters of single subresources, by `resource/subresource`. */
export const subresourceParameters: ReadonlyMap<string, readonly Parameter[]> = new Map([
  [
    'pods/attach',
    [
      query('container', 'string', '_Q-EJ3nR', containerText),
      query('stderr', 'boolean', '26jJhFUR', 'Stream standard error.'),
      query('stdin', 'boolean', 'sEFnN3IS', 'Stream standard input.'),
      query('stdout', 'boolean', '005YMKE6', 'Stream standard output.'),
      query('tty', 'boolean', 'g7MlET_l', 'The streams are a terminal.'),
    ],
  ],
  [
    'pods/exec',
    [
      query('command', 'string', 'Py3eQybp', 'What to run, a word each.'),
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
      query('follow', 'boolean', '9OIXh_2R', 'Send new lines as they come.'),
      query('insecureSkipTLSVerifyBackend', 'boolean', 'gM00jVbe', 'Trust any certificate of the node.'),
      query('limitBytes', 'integer', 'zwd1RXuc', 'Most bytes to send.'),
      query('previous', 'boolean', '1jxDPu3y', 'Of the container before its last restart.'),
      query('sinceSeconds', 'integer', 'vE2NLdnP', 'Lines of the last seconds alone.'),
      query('stream', 'string', 'l-48cgXv', 'Which output: All, Stdout or Stderr.'),
      query('tailLines', 'integer', '9xQLWHMV', 'The last lines alone.'),
      query('timestamps', 'boolean', 'c17fW1w_', 'Begin each line with its time.'),
    ],
  ],
  ['pods/portforward', [query('ports', 'integer', '91KROJmm', 'Ports to forward.')]],
  ['pods/proxy', [query('path', 'string', 'oPbzgLUj', 'What of the pod is asked for.')]],
  ['services/proxy', [query('path', 'string', 'QCf0eosM', 'What of the service is asked for.')]],
  ['nodes/proxy', [query('path', 'string', 'rFDtV0x9', 'What of the node is asked for.')]],
]);
