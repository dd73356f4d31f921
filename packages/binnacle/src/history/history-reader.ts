import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type ApiResource, RestMapper } from '@binnacle/client/discovery';
import { type EventOptions, HistoryClient, type PastEvent, type Target } from './history-client.js';
import { newestFirst } from './newest-first.js';
import type { HistoryParts } from './parts.js';
import { eventsUnlessForbidden } from './unless-forbidden.js';
import type { Point } from './requests/point.js';
import type { NamedTarget, Scope } from './requests/request.js';

/** Its events are the core group's, which would be shown twice. */
const EVENTS_GROUP = 'events.k8s.io';

/** Finds what the user named, and reads its events and its states. */
export class HistoryReader {
  readonly client: HistoryClient;
  readonly #parts: HistoryParts;
  readonly #mapper: RestMapper;

  constructor(parts: HistoryParts) {
    this.client = new HistoryClient(parts.transport, parts.now);
    this.#parts = parts;
    this.#mapper = new RestMapper(parts.discovery);
  }

  /** The target, or every kind that is stored. */
  async targets(named: NamedTarget | undefined, scope: Scope): Promise<Target[]> {
    if (named !== undefined) return [await this.target(named, scope)];
    const { groups } = await this.#parts.discovery.surface(this.#options());
    const resources = groups.flatMap(({ versions }) => preferred(versions.flatMap((version) => version.resources)));
    return resources
      .filter(({ verbs, namespaced }) => verbs.includes('watch') && (namespaced || scope.namespace === undefined))
      .filter(({ resource }) => resource.group !== EVENTS_GROUP)
      .map((resource) => ({ resource, namespace: scope.namespace }));
  }

  async target({ kind, name }: NamedTarget, scope: Scope): Promise<Target> {
    const resource = await this.#mapper.resourceFor(kind, this.#options());
    if (!resource.namespaced) return { resource, name };
    if (scope.allNamespaces === true) {
      if (name === undefined) return { resource };
      throw new Error(`${kind}/${name} may be in several namespaces; pass --namespace in place of --all-namespaces`);
    }
    return { resource, name, namespace: scope.namespace ?? this.#parts.namespace ?? 'default' };
  }

  /** The events of all targets, newest first. */
  events(
    targets: readonly Target[],
    named: NamedTarget | undefined,
    options: EventOptions = {},
  ): AsyncIterable<PastEvent> {
    const histories = targets.map((target) => this.client.events(target, { ...options, ...this.#options() }));
    return newestFirst(named === undefined ? histories.map(eventsUnlessForbidden) : histories);
  }

  /** The event of this revision, and the object that it is about. */
  async eventAt(
    revision: string,
    named: NamedTarget | undefined,
    scope: Scope,
  ): Promise<{ event: PastEvent; place: Target }> {
    const since = { type: 'revision', text: String(Number(revision) - 1) } as const;
    const until = { type: 'revision', text: revision } as const;
    for (const target of await this.targets(named, scope)) {
      for await (const event of this.events([target], named, { since, until })) {
        return { event, place: { resource: target.resource, ...placeOf(event) } };
      }
    }
    throw new Error(`no object that you may read changed at revision ${revision}`);
  }

  async objectsAt(target: Target, point: Point): Promise<JsonObject[]> {
    const { signal } = this.#parts;
    const revision = await this.client.revisionAt(target, point, signal);
    const objects: JsonObject[] = [];
    for await (const object of this.client.objectsAt(target, revision, signal)) objects.push(object);
    return objects;
  }

  #options(): { signal?: AbortSignal } {
    const { signal } = this.#parts;
    return signal === undefined ? {} : { signal };
  }
}

/** The place of the object of an event. */
function placeOf({ object, previous, forgotten }: PastEvent): Pick<Target, 'namespace' | 'name'> {
  const { metadata } = object ?? previous ?? {};
  const { namespace, name } = forgotten?.reference ?? (isObject(metadata) ? metadata : {});
  const space = typeof namespace === 'string' && namespace !== '' ? { namespace } : {};
  return { name: typeof name === 'string' ? name : '', ...space };
}

/** Each resource once, in its first, preferred version. */
function preferred(resources: readonly ApiResource[]): ApiResource[] {
  const byName = new Map<string, ApiResource>();
  for (const each of resources) {
    const { resource } = each.resource;
    if (!byName.has(resource)) byName.set(resource, each);
  }
  return [...byName.values()];
}
