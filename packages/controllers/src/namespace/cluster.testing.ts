import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { ScriptedTransport, type ScriptedAnswer } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { discoveryOf } from './discovery.testing.js';

interface FakeResource {
  readonly group: string;
  readonly verbs: readonly string[];
  readonly objects: Map<string, KubernetesObject>;
}

interface FakeWatch {
  readonly resource: string;
  readonly events: unknown[];
  hasEnded: boolean;
  wake: () => void;
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'watch'];
const TIME = '2027-01-15T08:00:00Z';

/**
 * A fake server for the deletion of the namespace `harbour`. A delete keeps objects with finalizers and those with the label `slow`; it
 * removes all others at once.
 */
export class FakeCluster {
  readonly transport: ScriptedTransport;
  /** `verb resource` of all requests, in order. */
  readonly log: string[] = [];
  /** Called first; its answer, if any, replaces the usual one. */
  intercept: (request: TransportRequest, entry: string) => ScriptedAnswer | undefined = () => undefined;
  /** Groups that discovery reports as stale. */
  readonly stale = new Set<string>();
  namespace: KubernetesObject | undefined = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'harbour', uid: 'uid-1', resourceVersion: '1', deletionTimestamp: TIME },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
  };
  readonly #resources = new Map<string, FakeResource>();
  readonly #watches = new Set<FakeWatch>();
  #version = 7;

  constructor() {
    this.transport = new ScriptedTransport((request, { signal }) => this.#answer(request, signal));
  }

  serve(name: string, group = '', verbs: readonly string[] = ALL_VERBS): this {
    this.#resources.set(name, { group, verbs, objects: new Map() });
    return this;
  }

  add(resource: string, name: string, fields: { readonly metadata?: object; readonly spec?: object } = {}): this {
    const { metadata, ...rest } = fields;
    const object = { apiVersion: 'v1', kind: resource, metadata: { name, namespace: 'harbour', ...metadata }, ...rest };
    this.#objectsOf(resource).set(name, object);
    return this;
  }

  /** Removes the object and sends DELETED to its watches. */
  remove(resource: string, name: string): void {
    const object = this.#objectsOf(resource).get(name);
    this.#objectsOf(resource).delete(name);
    this.#version++;
    this.#emit(resource, { type: 'DELETED', object });
  }

  count(resource: string): number {
    return this.#objectsOf(resource).size;
  }

  /** The watched resources, sorted. */
  get watched(): string[] {
    return Array.from(this.#watches, ({ resource }) => resource).toSorted();
  }

  /** Ends the watches of a resource. */
  endWatches(resource: string): void {
    for (const watch of this.#watches) {
      watch.hasEnded ||= watch.resource === resource;
      watch.wake();
    }
  }

  /** Another client writes the namespace. */
  touch(metadata: KubernetesObject['metadata'] = {}): void {
    const { namespace } = this;
    if (namespace !== undefined) this.#store({ ...namespace, metadata: { ...namespace.metadata, ...metadata } });
  }

  #objectsOf(resource: string): Map<string, KubernetesObject> {
    const found = this.#resources.get(resource);
    if (found === undefined) throw new Error(`${resource} is not served`);
    return found.objects;
  }

  #emit(resource: string, event: unknown): void {
    for (const watch of this.#watches) {
      if (watch.resource !== resource) continue;
      watch.events.push(event);
      watch.wake();
    }
  }

  #answer(request: TransportRequest, signal: AbortSignal | undefined): ScriptedAnswer {
    const [path = '', query = ''] = request.path.split('?');
    if (path === '/api') return { object: this.#discovery((group) => group === '') };
    if (path === '/apis') return { object: this.#discovery((group) => group !== '') };
    const [resource = 'namespaces', name] = (path.split('/harbour')[1] ?? '').split('/').filter((part) => part !== '');
    const isNamespace = !this.#resources.has(resource);
    const verb = `${query.includes('watch=true') ? 'WATCH' : request.method}${name === undefined ? '' : ' ONE'}`;
    const entry = `${verb} ${isNamespace && resource !== 'namespaces' ? `namespaces/${resource}` : resource}`;
    this.log.push(entry);
    const intercepted = this.intercept(request, entry);
    if (intercepted !== undefined) return intercepted;
    if (verb === 'WATCH') return { lines: this.#watch(resource, signal) };
    if (path === '/api/v1/namespaces') return this.#list(this.namespace === undefined ? [] : [this.namespace]);
    if (isNamespace) return this.#answerNamespace(request, resource);
    return this.#answerContent(verb, resource, name ?? '');
  }

  #answerContent(verb: string, resource: string, name: string): ScriptedAnswer {
    const objects = this.#objectsOf(resource);
    switch (verb) {
      case 'DELETE':
        for (const each of objects.keys()) this.#delete(objects, each);
        return { object: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
      case 'DELETE ONE':
        this.#delete(objects, name);
        return { object: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
      default:
        return this.#list([...objects.values()]);
    }
  }

  #discovery(isWanted: (group: string) => boolean): JsonObject {
    const served = [...this.#resources].map(([name, { group, verbs }]) => ({ name, group, verbs }));
    return discoveryOf(
      served.filter(({ group }) => isWanted(group)),
      this.stale,
    );
  }

  #list(items: readonly KubernetesObject[]): ScriptedAnswer {
    return { object: { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(this.#version) }, items } };
  }

  #delete(objects: Map<string, KubernetesObject>, name: string): void {
    const metadata = objects.get(name)?.metadata;
    if ((metadata?.finalizers ?? []).length === 0 && metadata?.labels?.['slow'] === undefined) objects.delete(name);
  }

  #answerNamespace({ method, body }: TransportRequest, subresource: string): ScriptedAnswer {
    const stored = this.namespace;
    if (stored === undefined) return failure(404, 'NotFound', 'namespaces "harbour" not found');
    if (method === 'GET') return { object: stored };
    const given = JSON.parse(String(body)) as KubernetesObject;
    if (given.metadata.resourceVersion !== stored.metadata.resourceVersion) {
      return failure(409, 'Conflict', 'the object has been modified');
    }
    const part = subresource === 'status' ? 'status' : 'spec';
    const object = this.#store({ ...stored, [part]: given[part] });
    const { finalizers = [] } = object['spec'] as { finalizers?: string[] };
    if (finalizers.length === 0) this.namespace = undefined;
    return { object };
  }

  #store(object: KubernetesObject): KubernetesObject {
    this.namespace = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#emit('namespaces', { type: 'MODIFIED', object: this.namespace });
    return this.namespace;
  }

  async *#watch(resource: string, signal: AbortSignal | undefined): AsyncGenerator {
    const watch: FakeWatch = { resource, events: [], hasEnded: false, wake: () => undefined };
    const abort = () => watch.wake();
    signal?.addEventListener('abort', abort);
    this.#watches.add(watch);
    try {
      for (;;) {
        signal?.throwIfAborted();
        yield* watch.events.splice(0);
        if (watch.hasEnded) return;
        await new Promise<void>((resolve) => {
          watch.wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#watches.delete(watch);
    }
  }
}

/** A Status of failure. */
export function failure(code: number, reason: string, message: string): ScriptedAnswer {
  return { status: code, object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message } };
}
