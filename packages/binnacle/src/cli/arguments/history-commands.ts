import { type Command, Option } from 'commander';
import {
  type HistoryAction,
  type HistoryRequest,
  type NamedTarget,
  isSnapshotName,
  parseNamedTarget,
  parsePoint,
  type Point,
  pointDescription,
  type RequestOf,
  type Scope,
} from '../../history/requests/index.js';

const DEFAULT_LIMIT = 50;
const LARGEST_PORT = 65_535;
const TARGET = 'KIND or KIND/NAME, such as deploy/web';
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
}

/** The options of all commands. */
export const scopeOptions: readonly HistoryOption[] = [
  { flags: '-n, --namespace <NAMESPACE>', description: "the namespace (default: that of the kubeconfig's context)" },
  { flags: '-A, --all-namespaces', description: 'all namespaces' },
  {
    flags: '--kubeconfig <FILE>',
    description: "server and user (default: KUBECONFIG, ~/.kube/config, or the pod's service account)",
  },
];

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
      { flags: '-f, --follow', description: 'show the newest events, oldest first, and go on with new ones' },
      { flags: '-p, --patch', description: 'show each change on a line of its own' },
      { flags: '--limit <NUMBER>', description: `the number of events (default: ${DEFAULT_LIMIT})` },
    ],
  },
  { name: 'show', usage: '<REVISION> [TARGET]', description: 'show one event with all changes', options: [] },
  {
    name: 'diff',
    usage: '<POINT> <POINT> [TARGET]',
    description: 'compare two states; a point is as for --since',
    options: [],
  },
  {
    name: 'get',
    usage: '<TARGET>',
    description: 'print objects as they were',
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
    description:
      'print objects as they were, without the fields that the server sets, so that another server can apply them',
    options: [{ flags: '--at <POINT>', description: at }],
  },
  {
    name: 'revert',
    usage: '<REVISION> [TARGET]',
    description: 'undo one event by an ordinary write, and keep what others have changed since',
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
  },
  {
    name: 'fork',
    usage: '[POINT]',
    description: 'start a server with the objects as they were, on which writes stay apart; it ends with its parent',
    options: [
      { flags: '--name <NAME>', description: 'the name of the fork (default: fork- and a number)' },
      { flags: '--port <PORT>', description: 'its port (default: a free one)' },
      { flags: '--out <FILE>', description: 'where to write its kubeconfig (default: NAME.kubeconfig)' },
      { flags: '--share-credentials', description: 'accept the tokens and certificates of its parent' },
      { flags: '--list', description: 'list the forks that run' },
      { flags: '--delete <NAME>', description: 'stop a fork' },
    ],
  },
  {
    name: 'bisect',
    usage: '<COMMAND...>',
    description:
      'find the revision that made COMMAND fail: run it with KUBECONFIG of a fork at each revision in the middle; write -- before COMMAND',
    options: [
      { flags: '--good <POINT>', description: 'a point at which COMMAND succeeds' },
      { flags: '--bad <POINT>', description: 'a point at which COMMAND fails' },
    ],
  },
];

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Defines the commands on `program`. `invalid`: makes the error for a wrong argument. */
export function defineHistory(
  program: Command,
  found: (request: HistoryRequest) => void,
  invalid: (message: string) => Error,
): void {
  for (const { name, usage, description, options } of historyCommands) {
    const command = program.command(`${name} ${usage}`).description(description);
    for (const option of [...options, ...scopeOptions]) command.addOption(new Option(option.flags, option.description));
    command.action(() => found(toRequest(name, command.args, command.opts<Values>(), invalid)));
  }
}

function toRequest(
  action: HistoryAction['action'],
  args: readonly string[],
  values: Values,
  invalid: (message: string) => Error,
): HistoryRequest {
  const read = new ArgumentReader(values, invalid);
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
      return { action, scope, target: read.optionalTarget(args[0]), at: read.at() };
    case 'revert': {
      const [force, dryRun] = [values['force'] === true, values['dryRun'] === true];
      return { action, scope, revision: read.revision(first), target: read.optionalTarget(args[1]), force, dryRun };
    }
    case 'snapshot':
      return read.snapshot(scope, args[0]);
    case 'fork':
      return read.fork(scope, args[0]);
    case 'bisect':
      return { action, scope, good: read.requiredPoint('good'), bad: read.requiredPoint('bad'), command: args };
  }
}

class ArgumentReader {
  readonly #values: Values;
  readonly #invalid: (message: string) => Error;

  constructor(values: Values, invalid: (message: string) => Error) {
    this.#values = values;
    this.#invalid = invalid;
  }

  scope(): Scope {
    const [namespace, kubeconfig] = [this.text('namespace'), this.text('kubeconfig')];
    if (namespace !== undefined && this.#values['allNamespaces'] === true) {
      throw this.#invalid('--namespace and --all-namespaces exclude each other');
    }
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(this.#values['allNamespaces'] === true ? { allNamespaces: true } : {}),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    };
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === '') throw this.#invalid(`--${name} is empty`);
    return typeof value === 'string' ? value : undefined;
  }

  limit(): number {
    const text = this.text('limit');
    if (text === undefined) return DEFAULT_LIMIT;
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw this.#invalid(`--limit ${JSON.stringify(text)} is not 1 or more`);
    return Number(text);
  }

  follow(): boolean {
    const follows = this.#values['follow'] === true;
    if (follows && this.text('until') !== undefined) throw this.#invalid('--follow and --until exclude each other');
    return follows;
  }

  snapshot(scope: Scope, given: string | undefined): RequestOf<'snapshot'> {
    const remove = this.#values['delete'] === true;
    const name = given === undefined ? undefined : this.#name(given);
    const at = this.optionalPoint('at');
    if (name === undefined && (remove || at !== undefined)) throw this.#invalid('NAME is missing');
    if (remove && at !== undefined) throw this.#invalid('--delete and --at exclude each other');
    return { action: 'snapshot', scope, name, at, remove };
  }

  fork(scope: Scope, point: string | undefined): RequestOf<'fork'> {
    const [list, remove] = [this.#values['list'] === true, this.text('delete')];
    const name = this.text('name');
    const options = {
      at: point === undefined ? undefined : this.point(point),
      name: name === undefined ? undefined : this.#name(name),
      port: this.#port(),
      file: this.text('out'),
      sharesCredentials: this.#values['shareCredentials'] === true,
    };
    const starts = Object.values(options).some((value) => value !== undefined && value !== false);
    if ([starts, list, remove !== undefined].filter(Boolean).length > 1) {
      throw this.#invalid('--list, --delete and the options of a new fork exclude each other');
    }
    return { action: 'fork', scope, ...options, list, remove };
  }

  #name(text: string): string {
    if (isSnapshotName(text)) return text;
    throw this.#invalid(`${JSON.stringify(text)} is not a DNS label that begins with a lower-case letter`);
  }

  #port(): number | undefined {
    const text = this.text('port');
    if (text === undefined) return undefined;
    if (!/^[0-9]{1,5}$/.test(text) || Number(text) > LARGEST_PORT) {
      throw this.#invalid(`--port ${JSON.stringify(text)} is not from 0 to ${LARGEST_PORT}`);
    }
    return Number(text);
  }

  output(): 'yaml' | 'json' {
    const output = this.text('output') ?? 'yaml';
    if (output === 'yaml' || output === 'json') return output;
    throw this.#invalid(`--output ${JSON.stringify(output)} is not yaml or json`);
  }

  at(): Point {
    return this.requiredPoint('at');
  }

  requiredPoint(name: string): Point {
    const point = this.optionalPoint(name);
    if (point === undefined) throw this.#invalid(`--${name} is missing: give ${pointDescription}`);
    return point;
  }

  optionalPoint(name: string): Point | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.point(text);
  }

  point(text: string): Point {
    const point = parsePoint(text);
    if (point === undefined) throw this.#invalid(`${JSON.stringify(text)} is not ${pointDescription}`);
    return point;
  }

  revision(text: string): string {
    if (!/^[1-9][0-9]{0,14}$/.test(text)) throw this.#invalid(`${JSON.stringify(text)} is not a resourceVersion`);
    return text;
  }

  optionalTarget(text: string | undefined): NamedTarget | undefined {
    return text === undefined ? undefined : this.target(text);
  }

  target(text: string): NamedTarget {
    const target = parseNamedTarget(text);
    if (target === undefined) throw this.#invalid(`${JSON.stringify(text)} is not ${TARGET}`);
    return target;
  }

  object(text: string): Required<NamedTarget> {
    const { kind, name } = this.target(text);
    if (name === undefined) throw this.#invalid(`${JSON.stringify(text)} is not KIND/NAME, such as deploy/web`);
    return { kind, name };
  }
}
