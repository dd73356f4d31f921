import {
  isSnapshotName,
  type NamedTarget,
  parseNamedTarget,
  parsePoint,
  type Point,
  pointDescription,
  type RequestOf,
  type Scope,
} from '../../history/requests/index.js';
import { readExportTarget } from './export-target.js';
import { invalid, parsePort } from './option-values.js';

/** The number of events that `log` shows. */
export const DEFAULT_LIMIT = 50;
/** The form of an argument that names objects. */
export const TARGET = 'KIND or KIND/NAME, such as deploy/web';

/** The options of a command by commander's names. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads the arguments and options of the commands that look back. Each method throws for a wrong value. */
export class HistoryArguments {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  scope(): Scope {
    const [namespace, kubeconfig] = [this.text('namespace'), this.text('kubeconfig')];
    if (namespace !== undefined && this.#values['allNamespaces'] === true) {
      throw invalid('--namespace and --all-namespaces exclude each other');
    }
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(this.#values['allNamespaces'] === true ? { allNamespaces: true } : {}),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    };
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === '') throw invalid(`--${name} is empty`);
    return typeof value === 'string' ? value : undefined;
  }

  limit(): number {
    const text = this.text('limit');
    if (text === undefined) return DEFAULT_LIMIT;
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw invalid(`--limit ${JSON.stringify(text)} is not 1 or more`);
    return Number(text);
  }

  follow(): boolean {
    const follows = this.#values['follow'] === true;
    if (follows && this.text('until') !== undefined) throw invalid('--follow and --until exclude each other');
    return follows;
  }

  /** Without a place to write to, it prints the objects as they were at a point. */
  export(scope: Scope, text: string | undefined): RequestOf<'export'> {
    const target = this.optionalTarget(text);
    const transfer = readExportTarget(
      (name) => this.text(name),
      (name) => this.#values[name] === true,
    );
    const withSecrets = this.#values['secrets'] === true;
    if (transfer === undefined) return { action: 'export', scope, target, at: this.at(), withSecrets, transfer };
    if (target !== undefined)
      throw invalid('TARGET cannot be given with --to, --to-snapshot, --to-kubeconfig or --to-context');
    const at = this.optionalPoint('at');
    if ('path' in transfer.from && (at !== undefined || Object.keys(scope).length > 0)) {
      throw invalid('--from excludes --at, --kubeconfig, --namespace and --all-namespaces');
    }
    if ('snapshot' in transfer.to && scope.namespace !== undefined) {
      throw invalid('--to-snapshot excludes --namespace: a snapshot is that of a whole cluster');
    }
    return { action: 'export', scope, target, at, withSecrets, transfer };
  }

  snapshot(scope: Scope, given: string | undefined): RequestOf<'snapshot'> {
    const remove = this.#values['delete'] === true;
    const name = given === undefined ? undefined : this.#name(given);
    const at = this.optionalPoint('at');
    if (name === undefined && (remove || at !== undefined)) throw invalid('NAME is missing');
    if (remove && at !== undefined) throw invalid('--delete and --at exclude each other');
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
      throw invalid('--list, --delete and the options of a new fork exclude each other');
    }
    return { action: 'fork', scope, ...options, list, remove };
  }

  #name(text: string): string {
    if (isSnapshotName(text)) return text;
    throw invalid(`${JSON.stringify(text)} is not a DNS label that begins with a lower-case letter`);
  }

  #port(): number | undefined {
    const text = this.text('port');
    if (text === undefined) return undefined;
    return parsePort('port')(text);
  }

  output(): 'yaml' | 'json' {
    const output = this.text('output') ?? 'yaml';
    if (output === 'yaml' || output === 'json') return output;
    throw invalid(`--output ${JSON.stringify(output)} is not yaml or json`);
  }

  at(): Point {
    return this.requiredPoint('at');
  }

  requiredPoint(name: string): Point {
    const point = this.optionalPoint(name);
    if (point === undefined) throw invalid(`--${name} is missing: give ${pointDescription}`);
    return point;
  }

  optionalPoint(name: string): Point | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.point(text);
  }

  point(text: string): Point {
    const point = parsePoint(text);
    if (point === undefined) throw invalid(`${JSON.stringify(text)} is not ${pointDescription}`);
    return point;
  }

  revision(text: string): string {
    if (!/^[1-9][0-9]{0,14}$/.test(text)) throw invalid(`${JSON.stringify(text)} is not a resourceVersion`);
    return text;
  }

  /** Revisions, and a target after them. */
  revisions(args: readonly string[]): {
    readonly revisions: readonly string[];
    readonly target: NamedTarget | undefined;
  } {
    const last = args.length > 1 ? args.at(-1) : undefined;
    const target = last === undefined || /^[0-9]/.test(last) ? undefined : this.target(last);
    const revisions = target === undefined ? args : args.slice(0, -1);
    return { revisions: revisions.map((each) => this.revision(each)), target };
  }

  optionalTarget(text: string | undefined): NamedTarget | undefined {
    return text === undefined ? undefined : this.target(text);
  }

  target(text: string): NamedTarget {
    const target = parseNamedTarget(text);
    if (target === undefined) throw invalid(`${JSON.stringify(text)} is not ${TARGET}`);
    return target;
  }

  object(text: string): Required<NamedTarget> {
    const { kind, name } = this.target(text);
    if (name === undefined) throw invalid(`${JSON.stringify(text)} is not KIND/NAME, such as deploy/web`);
    return { kind, name };
  }
}
