import { type Command, Option } from 'commander';
import {
  type HistoryAction,
  type HistoryRequest,
  type NamedTarget,
  parseNamedTarget,
  parsePoint,
  type Point,
  pointDescription,
  type Scope,
} from '../../history/requests/index.js';

const DEFAULT_LIMIT = 50;
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

  output(): 'yaml' | 'json' {
    const output = this.text('output') ?? 'yaml';
    if (output === 'yaml' || output === 'json') return output;
    throw this.#invalid(`--output ${JSON.stringify(output)} is not yaml or json`);
  }

  at(): Point {
    const text = this.text('at');
    if (text === undefined) throw this.#invalid(`--at is missing: give ${pointDescription}`);
    return this.point(text);
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
