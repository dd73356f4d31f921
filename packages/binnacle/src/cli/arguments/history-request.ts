import { type Command, Option } from 'commander';
import { type HistoryAction, type HistoryRequest, pointDescription } from '../../history/requests/index.js';
import { DEFAULT_LIMIT, HistoryArguments, TARGET, type Values } from './history-arguments.js';

const at = `the point of the state: ${pointDescription}`;

interface HistoryOption {
  readonly flags: string;
  readonly description: string;
}

interface HistoryCommand {
  readonly name: HistoryAction['action'];
  /** As commander writes them. */
  readonly usage: string;
  readonly description: string;
  readonly options: readonly HistoryOption[];
  /** What it does with the namespaces of the command line. Default: {@link namespacesOfTarget}. */
  readonly namespaces?: readonly HistoryOption[];
}

const namespacesOfTarget = namespaceOptions(
  "the namespace (default: that of the kubeconfig's context with a TARGET, and all without one)",
  'all namespaces, with a TARGET that is a KIND',
);
const noNamespaces = namespaceOptions('no effect, because a revision has the objects of all namespaces', 'no effect');
const namespacesOfEvent = namespaceOptions(
  'the namespace in which to look for the event of the revision that it finds (default: all)',
  'no effect',
);

function namespaceOptions(one: string, all: string): readonly HistoryOption[] {
  return [
    { flags: '-n, --namespace <NAMESPACE>', description: one },
    { flags: '-A, --all-namespaces', description: all },
  ];
}

/** An option of all commands. */
const kubeconfigOption: HistoryOption = {
  flags: '--kubeconfig <FILE>',
  description: "server and user (default: KUBECONFIG, ~/.kube/config, or the pod's service account)",
};

/** Commander and the documentation both use this table. */
export const historyCommands: readonly HistoryCommand[] = [
  {
    name: 'log',
    usage: '[TARGET]',
    description: `list events, newest first: the time, the user and the changed fields; TARGET is ${TARGET}`,
    options: [
      { flags: '--since <POINT>', description: `only events after ${pointDescription}` },
      { flags: '--until <POINT>', description: 'only events until then' },
      { flags: '--by <USER>', description: 'only events of this user or field manager' },
      { flags: '--field <PATH>', description: 'only events that changed this field, such as .spec.replicas' },
      { flags: '-f, --follow', description: 'show the newest events, oldest first, and continue with new ones' },
      { flags: '-p, --patch', description: 'show each change on a line of its own' },
      { flags: '--limit <NUMBER>', description: `the number of events (default: ${DEFAULT_LIMIT})` },
    ],
  },
  {
    name: 'show',
    usage: '<REVISION> [TARGET]',
    description: `show the event of a revision, with all changes; TARGET says where to look for it: ${TARGET}`,
    options: [],
  },
  {
    name: 'diff',
    usage: '<POINT> <POINT> [TARGET]',
    description: `compare two states; POINT is ${pointDescription}; TARGET is ${TARGET}`,
    options: [],
  },
  {
    name: 'get',
    usage: '<TARGET>',
    description: `print objects as they were; TARGET is ${TARGET}`,
    options: [
      { flags: '--at <POINT>', description: at },
      { flags: '-o, --output <FORMAT>', description: 'yaml or json (default: yaml)' },
    ],
  },
  {
    name: 'blame',
    usage: '<TARGET>',
    description: 'show who set each field of an object, when, and at which revision; TARGET is KIND/NAME',
    options: [],
  },
  {
    name: 'export',
    usage: '[TARGET]',
    description: `print objects as they were, without the fields that the server sets, so that another server can apply them; or write those that binnacle import reads to a folder, a snapshot of etcd or another server; TARGET is ${TARGET}`,
    options: [
      {
        flags: '--at <POINT>',
        description: `${at} (default with --to, --to-snapshot, --to-kubeconfig or --to-context: now)`,
      },
      {
        flags: '--from <PATH>',
        description: 'read a folder, manifests, a snapshot of etcd or a data directory instead of a server',
      },
      { flags: '--context <NAME>', description: 'read the server of this context (default: the current one)' },
      { flags: '--to <DIR>', description: 'write a YAML file for each object to this empty or absent folder' },
      {
        flags: '--to-snapshot <FILE>',
        description: 'write this new file, from which etcdutl or etcdctl restores an etcd for a kube-apiserver',
      },
      { flags: '--to-kubeconfig <FILE>', description: 'create the objects on the server of this kubeconfig' },
      { flags: '--to-context <NAME>', description: 'create the objects on the server of this context' },
      { flags: '--secrets', description: 'print or write Secrets too (default: only if TARGET names them)' },
      { flags: '--overwrite', description: 'replace objects that exist on the other server' },
      { flags: '--dry-run <MODE>', description: 'server: let the other server check the objects, and store none' },
      { flags: '-o, --output <FORMAT>', description: 'json prints the report as an object' },
    ],
  },
  {
    name: 'revert',
    usage: '<REVISION...>',
    description: `undo events by ordinary writes, the newest first, and keep what others have changed since; a TARGET after the revisions says which objects they changed: ${TARGET}`,
    options: [
      { flags: '--force', description: 'overwrite fields that have changed again since' },
      { flags: '--dry-run', description: 'let the server check the write, and change nothing' },
    ],
  },
  {
    name: 'snapshot',
    usage: '[NAME]',
    description: 'name a revision, whose state stays readable until the name is deleted; without NAME, list all',
    options: [
      { flags: '--at <POINT>', description: 'the point to name (default: now)' },
      { flags: '--delete', description: 'delete the name' },
    ],
    namespaces: noNamespaces,
  },
  {
    name: 'fork',
    usage: '[POINT]',
    description:
      'start a server with the objects as they were at POINT (default: now); neither server sees what the other writes; it ends with its parent',
    options: [
      { flags: '--name <NAME>', description: 'the name of the fork (default: fork- and a number)' },
      { flags: '--port <PORT>', description: 'its port (default: a free one)' },
      { flags: '--out <FILE>', description: 'where to write its kubeconfig (default: NAME.kubeconfig)' },
      { flags: '--share-credentials', description: 'accept the tokens and certificates of its parent' },
      { flags: '--list', description: 'list the forks that run' },
      { flags: '--delete <NAME>', description: 'stop a fork' },
    ],
    namespaces: noNamespaces,
  },
  {
    name: 'bisect',
    usage: '<COMMAND...>',
    description:
      'find the revision that made COMMAND fail, by bisection: run COMMAND against forks, whose kubeconfig it gets as KUBECONFIG; write -- before COMMAND',
    options: [
      { flags: '--good <POINT>', description: 'a point at which COMMAND succeeds' },
      { flags: '--bad <POINT>', description: 'a point at which COMMAND fails' },
    ],
    namespaces: namespacesOfEvent,
  },
];

export function defineHistory(program: Command, found: (request: HistoryRequest) => void): void {
  for (const { name, usage, description, options, namespaces = namespacesOfTarget } of historyCommands) {
    const command = program.command(`${name} ${usage}`).description(description);
    for (const option of [...options, ...namespaces, kubeconfigOption]) {
      command.addOption(new Option(option.flags, option.description));
    }
    command.action(() => found(toRequest(name, command.args, command.opts<Values>())));
  }
}

function toRequest(action: HistoryAction['action'], args: readonly string[], values: Values): HistoryRequest {
  const read = new HistoryArguments(values);
  const scope = read.scope();
  const [first = '', second = '', third] = args;
  switch (action) {
    case 'log':
      return {
        action,
        scope,
        target: read.optionalTarget(args[0]),
        since: read.optionalPoint('since'),
        until: read.optionalPoint('until'),
        by: read.text('by'),
        field: read.text('field'),
        patch: values['patch'] === true,
        follow: read.follow(),
        limit: read.limit(),
      };
    case 'show':
      return { action, scope, revision: read.revision(first), target: read.optionalTarget(args[1]) };
    case 'diff': {
      const [from, to] = [read.point(first), read.point(second)];
      return { action, scope, from, to, target: read.optionalTarget(third) };
    }
    case 'get':
      return { action, scope, target: read.target(first), at: read.at(), output: read.output() };
    case 'blame':
      return { action, scope, target: read.object(first) };
    case 'export':
      return read.export(scope, args[0]);
    case 'revert': {
      const [force, dryRun] = [values['force'] === true, values['dryRun'] === true];
      return { action, scope, ...read.revisions(args), force, dryRun };
    }
    case 'snapshot':
      return read.snapshot(scope, args[0]);
    case 'fork':
      return read.fork(scope, args[0]);
    case 'bisect':
      return { action, scope, good: read.requiredPoint('good'), bad: read.requiredPoint('bad'), command: args };
  }
}
