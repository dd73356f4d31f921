import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { resourceExpired, tooLargeResourceVersion } from '@binnacle/apimachinery/status';
import type { ListOptions, WatchEvent, WatchOptions } from '../rest/index.js';
import { ConnectionError, type SendOptions } from '../transport/index.js';
import type { ObjectList } from '../typed/index.js';
import { FakeWatches } from './fake-watches.js';
import { frozen } from './frozen.js';
import { Gate } from './gate.js';

const LIST = { apiVersion: 'v1', kind: 'ConfigMapList' };

type Objects = ReadonlyMap<string, KubernetesObject>;

/**
 * A fake server of one resource, with lists, watches, history and faults. It keeps all states, so that a test can compare them. Objects are ConfigMaps
 * in the namespace `ns`.
 */
export class FakeCollection {
  #objects: Objects = new Map();
  #version: number;
  #oldest = 0;
  readonly #states = new Map<number, Objects>();
  readonly #history: { readonly version: number; readonly event: WatchEvent }[] = [];
  readonly #watches = new FakeWatches();
  readonly #failures: Error[] = [];
  #uids = 0;
  readonly #gate = new Gate();
  /** The error with which the server refuses `sendInitialEvents`; undefined if it supports it. */
  streamError: Error | undefined;
  /** The number of lists and watches requested. */
  readonly requests = { list: 0, watch: 0 };

  constructor(version = 1_000_000) {
    this.#version = version;
    this.#states.set(version, this.#objects);
  }

  get version(): number {
    return this.#version;
  }

  get objects(): Objects {
    return this.#objects;
  }

  /** The number of open watches. */
  get watches(): number {
    return this.#watches.size;
  }

  /** All changes since the last reset, in order. */
  get events(): readonly WatchEvent[] {
    return this.#history.map(({ event }) => event);
  }

  /** The objects at a version, by key. */
  stateAt(version: number): Objects | undefined {
    return this.#states.get(version);
  }

  /** Creates or changes the object. */
  set(name: string, data: Record<string, string>): void {
    const before = this.#objects.get(`ns/${name}`);
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`;
    this.#change(before === undefined ? 'ADDED' : 'MODIFIED', name, { uid, data });
  }

  delete(name: string): void {
    const before = this.#objects.get(`ns/${name}`);
    if (before !== undefined) this.#change('DELETED', name, { uid: before.metadata.uid ?? '', data: before['data'] });
  }

  /** Raises the version without an event, like a change of another resource. */
  touch(): void {
    this.#version++;
    this.#states.set(this.#version, this.#objects);
  }

  /** Sends a bookmark, `behind` versions older than the latest. */
  bookmark(behind = 0): void {
    const metadata = { resourceVersion: String(this.#version - behind) };
    this.#watches.emit({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });
  }

  /** Sends the last change again. */
  repeat(): void {
    const last = this.#history.at(-1);
    if (last !== undefined) this.#watches.emit(last.event);
  }

  /** Compacts the history up to now. */
  compact(): void {
    this.#oldest = this.#version;
  }

  /** Also drops recorded states and changes up to now. */
  forget(): void {
    this.compact();
    this.#history.length = 0;
    this.#states.clear();
    this.#states.set(this.#version, this.#objects);
  }

  /**
   * Restores the store from a backup with these objects, at a version that is `versions` lower. Breaks all watches.
   */
  reset(objects: Objects = new Map(), versions = 10_000): void {
    this.#version -= versions;
    this.#oldest = this.#version;
    this.#objects = objects;
    this.#history.length = 0;
    this.#states.set(this.#version, objects);
    this.breakWatches();
  }

  /** Holds back responses until {@link release}. */
  hold(): void {
    this.#gate.shut();
  }

  release(): void {
    this.#gate.open();
  }

  /** Fails the next request with this error. */
  failNext(error: Error): void {
    this.#failures.push(error);
  }

  forgetFailures(): void {
    this.#failures.length = 0;
  }

  /** Ends watches, as a server does after a while. */
  endWatches(): void {
    this.#watches.endAll();
  }

  breakWatches(): void {
    this.#watches.endAll(new ConnectionError('broken', 'cut'));
  }

  /** Ends watches with 410, as a server does after a gap. */
  expireWatches(): void {
    this.#watches.endAll(resourceExpired('too old resource version'));
  }

  async list({ signal }: ListOptions & SendOptions): Promise<ObjectList<KubernetesObject>> {
    this.requests.list++;
    await turn(signal);
    this.#failIfAsked();
    const list = { ...LIST, metadata: this.#at(), items: [...this.#objects.values()] };
    await this.#gate.passed(signal);
    return list;
  }

  async *pages(options: ListOptions & SendOptions): AsyncGenerator<ObjectList<KubernetesObject>> {
    const { limit = 0, signal } = options;
    const { metadata, items } = await this.list(options);
    const size = limit === 0 ? Math.max(1, items.length) : limit;
    yield { ...LIST, metadata, items: items.slice(0, size) };
    for (let start = size; start < items.length; start += size) {
      await turn(signal);
      this.#failIfAsked();
      if (Number(metadata.resourceVersion) < this.#oldest) throw resourceExpired('the continue token is too old');
      await this.#gate.passed(signal);
      yield { ...LIST, metadata, items: items.slice(start, start + size) };
    }
  }

  async *watch(options: WatchOptions & SendOptions): AsyncGenerator<WatchEvent> {
    this.requests.watch++;
    const { signal, resourceVersion, sendInitialEvents, allowWatchBookmarks: takesBookmarks = false } = options;
    await turn(signal);
    this.#failIfAsked();
    const pending = sendInitialEvents === true ? this.#initial() : this.#since(Number(resourceVersion));
    yield* this.#watches.run({ pending, takesBookmarks, signal, delivered: () => this.#gate.passed(signal) });
  }

  #initial(): WatchEvent[] {
    if (this.streamError !== undefined) throw this.streamError;
    const added = [...this.#objects.values()].map((object): WatchEvent => ({ type: 'ADDED', object }));
    const metadata = { ...this.#at(), annotations: { 'k8s.io/initial-events-end': 'true' } };
    return [...added, { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } }];
  }

  #since(version: number): WatchEvent[] {
    if (version > this.#version) throw tooLargeResourceVersion(version, this.#version);
    if (version < this.#oldest) throw resourceExpired('too old resource version');
    return this.#history
      .filter((entry) => entry.version > version && entry.version <= this.#version)
      .map(({ event }) => event);
  }

  #change(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, { uid, data }: { uid: string; data: unknown }): void {
    this.#version++;
    const metadata = { name, namespace: 'ns', uid, ...this.#at() };
    const object = frozen({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    const objects = new Map(this.#objects);
    if (type === 'DELETED') objects.delete(`ns/${name}`);
    else objects.set(`ns/${name}`, object);
    this.#objects = objects;
    this.#states.set(this.#version, objects);
    this.#history.push({ version: this.#version, event: { type, object } });
    this.#watches.emit({ type, object });
  }

  #failIfAsked(): void {
    const failure = this.#failures.shift();
    if (failure !== undefined) throw failure;
  }

  #at(): { resourceVersion: string } {
    return { resourceVersion: String(this.#version) };
  }
}

/** Responses come in a later microtask. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  await Promise.resolve();
  signal?.throwIfAborted();
}
