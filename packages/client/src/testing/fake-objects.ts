import { pathOf } from '../rest/index.js';
import type { SendOptions, TransportRequest } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { frozen } from './frozen.js';
import { type ScriptedAnswer, ScriptedTransport } from './scripted-transport.js';

/** One kind: its objects by `namespace/name`, its events, and its watches. */
interface Collection {
  readonly kind: string;
  readonly objects: Map<string, TypedObject>;
  readonly events: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: TypedObject }[];
  readonly wake: Set<() => void>;
}

/**
 * A fake server of objects of several kinds. It answers lists and watches of all namespaces, and the test changes the objects. A function of the test
 * answers all other requests.
 */
export class FakeObjects {
  /** Records requests. */
  readonly transport: ScriptedTransport;
  readonly #collections = new Map<string, Collection>();
  #version = 100;

  constructor(
    resources: readonly ResourceType[],
    answer: (request: TransportRequest) => ScriptedAnswer | Promise<ScriptedAnswer> = noAnswer,
  ) {
    for (const resource of resources) {
      this.#collections.set(pathTo(resource), { kind: resource.kind, objects: new Map(), events: [], wake: new Set() });
    }
    this.transport = new ScriptedTransport((request, options) => this.#answer(request, options) ?? answer(request));
  }

  /** Creates or replaces the object. Returns it with the metadata that a server adds. */
  set<T extends TypedObject>(resource: ResourceType<T>, object: T): T {
    const { objects, events, wake } = this.#collection(resource);
    const key = keyOf(object.metadata);
    const before = objects.get(key);
    const version = String(++this.#version);
    const uid = before?.metadata.uid ?? `uid-${version}`;
    const stored = frozen({ ...object, metadata: { uid, ...object.metadata, resourceVersion: version } });
    objects.set(key, stored);
    events.push({ type: before === undefined ? 'ADDED' : 'MODIFIED', object: stored });
    for (const notify of wake) notify();
    return stored;
  }

  delete(resource: ResourceType, metadata: TypedObject['metadata']): void {
    const { objects, events, wake } = this.#collection(resource);
    const before = objects.get(keyOf(metadata));
    if (before === undefined) return;
    objects.delete(keyOf(metadata));
    const resourceVersion = String(++this.#version);
    events.push({ type: 'DELETED', object: frozen({ ...before, metadata: { ...before.metadata, resourceVersion } }) });
    for (const notify of wake) notify();
  }

  #collection(resource: ResourceType): Collection {
    const collection = this.#collections.get(pathTo(resource));
    if (collection === undefined) throw new TypeError(`${resource.plural} are not served`);
    return collection;
  }

  #answer({ method, path }: TransportRequest, { signal }: SendOptions): ScriptedAnswer | undefined {
    const url = new URL(path, 'http://server');
    const collection = this.#collections.get(url.pathname);
    if (method !== 'GET' || collection === undefined) return undefined;
    if (url.searchParams.get('watch') === 'true') return { lines: watch(collection, url, signal) };
    const metadata = { resourceVersion: String(this.#version) };
    const items = [...collection.objects.values()];
    return { object: { apiVersion: 'v1', kind: `${collection.kind}List`, metadata, items } };
  }
}

async function* watch({ events, wake }: Collection, url: URL, signal: AbortSignal | undefined): AsyncGenerator {
  const from = Number(url.searchParams.get('resourceVersion'));
  let next = events.findIndex(({ object }) => Number(object.metadata.resourceVersion) > from);
  if (next < 0) next = events.length;
  for (;;) {
    signal?.throwIfAborted();
    const event = events[next];
    if (event !== undefined) {
      next++;
      yield event;
    } else await woken(wake, signal);
  }
}

async function woken(wake: Collection['wake'], signal: AbortSignal | undefined): Promise<void> {
  let notify: () => void = () => undefined;
  await new Promise<void>((resolve) => {
    notify = resolve;
    wake.add(notify);
    signal?.addEventListener('abort', notify, { once: true });
  });
  wake.delete(notify);
  signal?.removeEventListener('abort', notify);
}

function pathTo({ group, version, plural }: ResourceType): string {
  return pathOf({ resource: { group, version, resource: plural } });
}

function keyOf({ namespace = '', name = '' }: TypedObject['metadata']): string {
  return `${namespace}/${name}`;
}

function noAnswer({ method, path }: TransportRequest): ScriptedAnswer {
  return new Error(`the test has no response for ${method} ${path}`);
}
