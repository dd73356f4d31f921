import { changesBetween, touches } from '@binnacle/apimachinery/differences';
import { isObject, type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { stringifyYaml } from '@binnacle/apimachinery/yaml';
import { type ApiResource, RestMapper } from '@binnacle/client/discovery';
import { exchange } from '@binnacle/client/rest';
import { inert } from '../printing/index.js';
import { blame, type Version } from './blame.js';
import { follow } from './follow.js';
import { type EventOptions, HistoryClient, objectPath, type PastEvent, type Target } from './history-client.js';
import { newestFirst } from './newest-first.js';
import type { HistoryParts } from './parts.js';
import type { Point } from './requests/point.js';
import { blameLines, changeLines, changesOf, eventLine, eventText, forgottenText, objectName } from './printed.js';
import type { HistoryRequest, NamedTarget, RequestOf, Scope } from './requests/request.js';
import { runBisect, runFork, runSnapshot } from './run-forks.js';
import { permitted, readEach, unlessForbidden } from './readable.js';
import { planReverts, type RevertsPlan } from './revert.js';

/** Its events are those of the core group. */
const EVENTS_GROUP = 'events.k8s.io';

const DONE = {
  nothing: 'is already as before',
  update: 'is reverted',
  create: 'is created again',
  delete: 'is deleted',
};

type WritePlan = Exclude<RevertsPlan<never>, { readonly type: 'conflict' | 'nothing' }>;

function conflictText(
  { fields, event }: Extract<RevertsPlan<PastEvent>, { readonly type: 'conflict' }>,
  name: string,
): string {
  const lines = fields.map((field) => `\n  ${inert(field)}`).join('');
  return `${name} has changed since ${event.resourceVersion}; --force overwrites these fields:${lines}`;
}

/** Carries out a request. Rejects with an Error whose message is for people. */
export async function runHistory(request: HistoryRequest, parts: HistoryParts): Promise<void> {
  const run = new HistoryRun(parts);
  switch (request.action) {
    case 'log':
      return run.log(request);
    case 'show':
      return run.show(request);
    case 'diff':
      return run.diff(request);
    case 'get':
      return run.get(request);
    case 'blame':
      return run.blame(request);
    case 'export':
      return run.export(request);
    case 'revert':
      return run.revert(request);
    case 'snapshot':
      return runSnapshot(request, parts);
    case 'fork':
      return runFork(request, parts);
    case 'bisect':
      return run.bisect(request);
  }
}

class HistoryRun {
  readonly #parts: HistoryParts;
  readonly #client: HistoryClient;
  readonly #mapper: RestMapper;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#client = new HistoryClient(parts.transport, parts.now);
    this.#mapper = new RestMapper(parts.discovery);
  }

  async log(request: RequestOf<'log'>): Promise<void> {
    const { target, scope, since, until, follow: follows, patch, limit } = request;
    const targets = await this.#targets(target, scope);
    const print = async (event: PastEvent): Promise<void> =>
      this.#parts.print(`${patch ? eventText(event) : eventLine(event)}\n`);
    if (follows) return this.#follow(targets, request, print);
    let shown = 0;
    for await (const event of this.#events(targets, target, { since, until })) {
      if (!isWanted(event, request)) continue;
      await print(event);
      shown += 1;
      if (shown === limit) return;
    }
  }

  /** The newest events, oldest first, and then those to come. */
  async #follow(
    targets: readonly Target[],
    request: RequestOf<'log'>,
    print: (event: PastEvent) => Promise<void>,
  ): Promise<void> {
    const { target: named, since, limit } = request;
    const [first] = targets;
    if (first === undefined) return;
    const { transport, signal } = this.#parts;
    const until = await this.#client.newest(first, signal);
    const past: PastEvent[] = [];
    for await (const event of this.#events(targets, named, { since, until: { type: 'revision', text: until } })) {
      if (isWanted(event, request)) past.push(event);
      if (past.length === limit) break;
    }
    for (const event of past.reverse()) await print(event);
    const found = async (event: PastEvent): Promise<void> => {
      if (isWanted(event, request)) await print(event);
    };
    const parts = { transport, client: this.#client, signal };
    await Promise.all(targets.map((each) => permitted(named, () => follow(parts, each, until, found))));
  }

  async bisect(request: RequestOf<'bisect'>): Promise<void> {
    const revision = String(await runBisect(request, this.#parts));
    await this.#parts.print(`${revision} is the first bad revision\n`);
    await this.show({ action: 'show', revision, target: undefined, scope: request.scope });
  }

  async show({ revision, target, scope }: RequestOf<'show'>): Promise<void> {
    const { event } = await this.#eventAt(revision, target, scope);
    await this.#parts.print(eventText(event));
  }

  async diff({ from, to, target, scope }: RequestOf<'diff'>): Promise<void> {
    await readEach(await this.#targets(target, scope), target, async (each) => {
      const [before, after] = await Promise.all([this.#stateAt(each, from), this.#stateAt(each, to)]);
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const lines = changeLines(changesBetween(before.get(key), after.get(key)));
        if (lines.length > 0) await this.#parts.print(`${key}\n${lines.join('\n')}\n`);
      }
    });
  }

  async get({ target, scope, at, output }: RequestOf<'get'>): Promise<void> {
    const objects = await this.#objectsAt(await this.#target(target, scope), at);
    const [only] = objects;
    if (target.name !== undefined && only === undefined)
      throw new Error(`there was no ${target.kind}/${target.name} then`);
    const document =
      target.name !== undefined && only !== undefined ? only : { apiVersion: 'v1', kind: 'List', items: objects };
    await this.#parts.print(output === 'json' ? `${stringifyJson(document)}\n` : stringifyYaml(document));
  }

  async blame({ target, scope }: RequestOf<'blame'>): Promise<void> {
    const events = this.#client.events(await this.#target(target, scope), this.#options());
    let forgotten: PastEvent | undefined;
    const reached = (event: PastEvent): void => {
      forgotten = event;
    };
    const fields = await blame(versionsOf(events, reached));
    const [first] = fields;
    if (first === undefined) throw new Error(`the server has no history of ${target.kind}/${target.name}`);
    await this.#parts.print(`${blameLines(fields).join('\n')}\n`);
    if (forgotten === undefined || fields.every(({ event }) => event !== undefined)) return;
    const { resourceVersion } = forgotten;
    await this.#parts.print(
      `Fields without a revision were set at ${resourceVersion} or before. The values from before it are forgotten.\n`,
    );
  }

  async export({ target, scope, at, withSecrets }: RequestOf<'export'>): Promise<void> {
    if (at === undefined) throw new TypeError('objects are printed as they were at a point');
    const isExported = (each: Target): boolean => target !== undefined || withSecrets || !isOfSecrets(each);
    const targets = (await this.#targets(target, scope)).filter(isExported);
    await readEach(targets, target, async (each) => {
      for (const object of await this.#objectsAt(each, at))
        await this.#parts.print(`---\n${stringifyYaml(portable(object))}`);
    });
  }

  /** Writes nothing if one of the events conflicts. */
  async revert({ revisions, target, scope, force, dryRun }: RequestOf<'revert'>): Promise<void> {
    const newestFirst = [...new Set(revisions)].sort((a, b) => Number(b) - Number(a));
    const objects = new Map<string, { readonly place: Target; readonly events: PastEvent[] }>();
    for (const revision of newestFirst) {
      const { event, place } = await this.#eventAt(revision, target, scope);
      const forgotten = forgottenText(event);
      if (forgotten !== '') {
        throw new Error(`the write of ${objectName(event)} at revision ${revision} cannot be undone: ${forgotten}`);
      }
      const path = objectPath(place);
      const events = objects.get(path)?.events ?? [];
      events.push(event);
      objects.set(path, { place, events });
    }
    const writes = [];
    for (const { place, events } of objects.values()) {
      const live = await this.#client.find(place, this.#parts.signal);
      writes.push({ place, live, plan: planReverts(events, live, force), name: events.map(objectName)[0] ?? '' });
    }
    const conflicts = writes.flatMap(({ plan, name }) => (plan.type === 'conflict' ? [conflictText(plan, name)] : []));
    if (conflicts.length > 0) throw new Error(conflicts.join('\n'));
    for (const { place, live, plan, name } of writes) {
      if (plan.type === 'conflict') continue;
      if (plan.type !== 'nothing') await this.#write(plan, place, live, dryRun);
      await this.#parts.print(`${name} ${DONE[plan.type]}${dryRun && plan.type !== 'nothing' ? ' (dry run)' : ''}\n`);
    }
  }

  async #write(plan: WritePlan, place: Target, live: JsonObject | undefined, dryRun: boolean): Promise<void> {
    const query = new URLSearchParams({ fieldManager: 'binnacle-revert', ...(dryRun ? { dryRun: 'All' } : {}) });
    const path = plan.type === 'create' ? objectPath({ ...place, name: undefined }) : objectPath(place);
    const metadata = isObject(live?.['metadata']) ? live['metadata'] : {};
    const { uid = null, resourceVersion = null } = metadata;
    // A server ignores the query of a delete that has options in its body.
    const deletion = { preconditions: { uid, resourceVersion }, ...(dryRun ? { dryRun: ['All'] } : {}) };
    const body = plan.type === 'delete' ? deletion : plan.object;
    const method = { create: 'POST', update: 'PUT', delete: 'DELETE' }[plan.type];
    const headers = { 'content-type': 'application/json' };
    const request = { method, path: `${path}?${query.toString()}`, headers, body: stringifyJson(body) };
    await exchange(this.#parts.transport, request, { signal: this.#parts.signal });
  }

  /** The event of this revision, and the object that it is about. */
  async #eventAt(
    revision: string,
    named: NamedTarget | undefined,
    scope: Scope,
  ): Promise<{ event: PastEvent; place: Target }> {
    const since = { type: 'revision', text: String(Number(revision) - 1) } as const;
    const until = { type: 'revision', text: revision } as const;
    for (const target of await this.#targets(named, scope)) {
      for await (const event of this.#events([target], named, { since, until })) {
        return { event, place: { resource: target.resource, ...placeOf(event) } };
      }
    }
    throw new Error(`no object that you may read changed at revision ${revision}`);
  }

  #events(targets: readonly Target[], named: NamedTarget | undefined, options: EventOptions): AsyncIterable<PastEvent> {
    const histories = targets.map((target) => this.#client.events(target, { ...options, ...this.#options() }));
    return newestFirst(named === undefined ? histories.map(unlessForbidden) : histories);
  }

  async #stateAt(target: Target, point: Point): Promise<Map<string, JsonObject>> {
    const objects = await this.#objectsAt(target, point);
    const keyOf = ({ metadata }: JsonObject): string => {
      const { namespace, name } = isObject(metadata) ? metadata : {};
      return [target.resource.resource.resource, namespace, name].filter((part) => typeof part === 'string').join('/');
    };
    return new Map(objects.map((object) => [keyOf(object), object]));
  }

  async #objectsAt(target: Target, point: Point): Promise<JsonObject[]> {
    const { signal } = this.#parts;
    const revision = await this.#client.revisionAt(target, point, signal);
    const objects: JsonObject[] = [];
    for await (const object of this.#client.objectsAt(target, revision, signal)) objects.push(object);
    return objects;
  }

  /** The target, or every kind that is stored. */
  async #targets(named: NamedTarget | undefined, scope: Scope): Promise<Target[]> {
    if (named !== undefined) return [await this.#target(named, scope)];
    const { groups } = await this.#parts.discovery.surface(this.#options());
    const resources = groups.flatMap(({ versions }) => preferred(versions.flatMap((version) => version.resources)));
    return resources
      .filter(({ verbs, namespaced }) => verbs.includes('watch') && (namespaced || scope.namespace === undefined))
      .filter(({ resource }) => resource.group !== EVENTS_GROUP)
      .map((resource) => ({ resource, namespace: scope.namespace }));
  }

  async #target({ kind, name }: NamedTarget, scope: Scope): Promise<Target> {
    const resource = await this.#mapper.resourceFor(kind, this.#options());
    if (!resource.namespaced) return { resource, name };
    if (scope.allNamespaces === true) return { resource };
    return { resource, name, namespace: scope.namespace ?? this.#parts.namespace ?? 'default' };
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

function isWanted(event: PastEvent, { by, field }: RequestOf<'log'>): boolean {
  if (by !== undefined && event.writer?.user !== by && event.writer?.manager !== by) return false;
  // An event whose values are forgotten may have changed the field.
  return (
    field === undefined || event.forgotten !== undefined || changesOf(event).some((change) => touches(change, field))
  );
}

/** `reached`: called with the event whose previous value is forgotten. */
async function* versionsOf(
  events: AsyncIterable<PastEvent>,
  reached: (event: PastEvent) => void,
): AsyncGenerator<Version<PastEvent>, void, undefined> {
  for await (const event of events) {
    const isPreviousForgotten = event.forgotten?.previous === true;
    if (isPreviousForgotten) reached(event);
    yield { event, object: event.object, previous: event.previous, isPreviousForgotten };
  }
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

/** Without the fields that a server sets, so that another one can create the object. */
function portable(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const {
    resourceVersion: _,
    uid: __,
    creationTimestamp: ___,
    managedFields: ____,
    generation: _____,
    ...rest
  } = metadata;
  return { ...object, metadata: rest };
}

const isOfSecrets = ({ resource: { kind } }: Target): boolean => kind.group === '' && kind.kind === 'Secret';
