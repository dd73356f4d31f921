import { methodNotAllowed, unknownResource } from '@binnacle/apimachinery/status';
import type { Handler, RequestContext, RequestInfo } from '../request/index.js';
import type { KindLookup } from './body/wrong-kind.js';
import { admitConnect } from './connect.js';
import { createObject } from './create.js';
import { deleteCollection, deleteObject } from './delete.js';
import type { ResourceEndpoint } from './endpoint.js';
import { serveHistory } from './history.js';
import type { NonStoredEndpoint } from './non-stored.js';
import { patchObject } from './patch.js';
import { getObject, listObjects } from './read.js';
import { unreadableStatus } from './unreadable-status.js';
import { updateObject } from './update.js';

/**
 * Finds the handler of a resource request. Endpoints may be added and removed at any time; a request keeps the
 * endpoint that it started with.
 */
export class ResourceRouter {
  readonly #groupVersions = new Map<string, Map<string, ResourceEndpoint>>();
  /** By `group/version`, then by resource. */
  readonly #nonStored = new Map<string, Map<string, NonStoredEndpoint>>();
  readonly #kindExists: KindLookup;

  constructor(kindExists: KindLookup) {
    this.#kindExists = kindExists;
  }

  add(endpoint: ResourceEndpoint): void {
    addTo(this.#groupVersions, endpoint);
  }

  addNonStored(endpoint: NonStoredEndpoint): void {
    addTo(this.#nonStored, endpoint);
  }

  endpoint(group: string, version: string, resource: string): ResourceEndpoint | undefined {
    return this.#groupVersions.get(`${group}/${version}`)?.get(resource);
  }

  /** The handler of a resource request in a known group and version; undefined for others. */
  handlerFor(info: RequestInfo): Handler | undefined {
    // An empty group, as in `/apis//v1/pods`, is not the core group.
    if (info.apiPrefix === 'apis' && info.group === '') return undefined;
    const groupVersion = `${info.group}/${info.version}`;
    const endpoint = this.#groupVersions.get(groupVersion)?.get(info.resource);
    if (endpoint === undefined) return this.#nonStoredHandler(groupVersion, info);
    checkPath(info);
    checkScope(endpoint, info);
    return endpointHandler(endpoint, info, this.#kindExists);
  }

  #nonStoredHandler(groupVersion: string, info: RequestInfo): Handler | undefined {
    const resources = this.#nonStored.get(groupVersion);
    if (resources === undefined && !this.#groupVersions.has(groupVersion)) return undefined;
    const endpoint = resources?.get(info.resource);
    if (endpoint === undefined || info.isHistory || info.subresource !== '' || !isAnswered(endpoint, info))
      throw unknownResource();
    checkScope(endpoint, info);
    checkVerb(endpoint, info);
    return withWarning(endpoint, (context) => endpoint.handle(context));
  }
}

/** The handler of a request to a resource or a subresource. Throws the Status of a path without one. */
export function endpointHandler(endpoint: ResourceEndpoint, info: RequestInfo, kindExists: KindLookup): Handler {
  if (info.isHistory) return historyHandler(endpoint, info);
  const handler =
    info.subresource === ''
      ? resourceHandler(endpoint, info, kindExists)
      : subresourceHandler(endpoint, info, kindExists);
  return withWarning(endpoint, namingUnreadable(endpoint, info, handler));
}

/** Answers in upstream's words when an object cannot be read, if the server has the feature for it. */
function namingUnreadable({ resource }: ResourceEndpoint, { verb }: RequestInfo, handler: Handler): Handler {
  const named = async (context: RequestContext): Promise<void> => {
    try {
      await handler(context);
    } catch (error) {
      throw unreadableStatus(error, verb, resource) ?? error;
    }
  };
  return (context) => (context.allowsUnsafeDeletion ? named(context) : handler(context));
}

function historyHandler(endpoint: ResourceEndpoint, info: RequestInfo): Handler {
  if (info.subresource !== '') throw unknownResource();
  if ((info.verb !== 'get' && info.verb !== 'list') || !endpoint.verbs.has(info.verb)) throw methodNotAllowed();
  return (context) => serveHistory(context, endpoint);
}

function resourceHandler(endpoint: ResourceEndpoint, info: RequestInfo, kindExists: KindLookup): Handler {
  checkVerb(endpoint, info);
  const view = endpoint.main;
  switch (info.verb) {
    case 'list':
    case 'watch':
      return (context) => listObjects(context, endpoint);
    case 'create':
      return (context) => createObject({ context, endpoint, view }, kindExists);
    case 'deletecollection':
      return (context) => deleteCollection(context, endpoint);
    case 'get':
      return (context) => getObject({ context, endpoint, view });
    case 'update':
      return (context) => updateObject({ context, endpoint, view }, kindExists);
    case 'patch':
      return (context) => patchObject({ context, endpoint, view });
    default:
      return (context) => deleteObject({ context, endpoint, view });
  }
}

function subresourceHandler(endpoint: ResourceEndpoint, info: RequestInfo, kindExists: KindLookup): Handler {
  const subresource = endpoint.subresources.get(info.subresource);
  if (subresource === undefined) throw unknownResource();
  if (!subresource.verbs.has(info.verb)) throw methodNotAllowed();
  const { view, handle, connect } = subresource;
  if (handle !== undefined) {
    return async (context: RequestContext) => {
      if (connect !== undefined) await admitConnect(context, endpoint, connect);
      await handle(context, endpoint);
    };
  }
  if (view === undefined) throw methodNotAllowed();
  switch (info.verb) {
    case 'get':
      return (context) => getObject({ context, endpoint, view });
    case 'update':
      return (context) => updateObject({ context, endpoint, view }, kindExists);
    default:
      return (context) => patchObject({ context, endpoint, view });
  }
}

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'create', 'deletecollection']);

type Addressed = Pick<ResourceEndpoint, 'resource' | 'namespaced' | 'verbs' | 'deprecationWarning'>;

function addTo<T extends Addressed>(groupVersions: Map<string, Map<string, T>>, endpoint: T): void {
  const { group, version, resource } = endpoint.resource;
  const key = `${group}/${version}`;
  const resources = groupVersions.get(key) ?? new Map<string, T>();
  groupVersions.set(key, resources.set(resource, endpoint));
}

function withWarning({ deprecationWarning }: Addressed, handler: Handler): Handler {
  if (deprecationWarning === undefined) return handler;
  return (context) => {
    context.warn(deprecationWarning);
    return handler(context);
  };
}

function checkVerb(endpoint: Addressed, info: RequestInfo): void {
  const collection = collectionVerbs.has(info.verb);
  // A list has a name only through its selector, or through the legacy watch path.
  const misplaced =
    info.verb === 'create' || info.verb === 'deletecollection' ? info.name !== '' : !collection && info.name === '';
  if (misplaced || !endpoint.verbs.has(info.verb)) throw methodNotAllowed();
}

/** Only a proxy path continues after the subresource. `watch/` has no subresources, and `proxy/` serves nothing. */
function checkPath({ verb, subresource, parts }: RequestInfo): void {
  const goesOn = parts.length > 3 && subresource !== 'proxy';
  if (goesOn || verb === 'proxy' || (verb === 'watch' && subresource !== '')) throw unknownResource();
}

/** Reviews and bindings have one path: they have no named objects and no list across namespaces. */
function isAnswered({ verbs, namespaced }: Addressed, { name, namespace }: RequestInfo): boolean {
  return (name === '' || verbs.has('get')) && (!namespaced || namespace !== '' || verbs.has('list'));
}

/** Checks that the path leads through a namespace exactly if the resource is namespaced. */
function checkScope(endpoint: Addressed, info: RequestInfo): void {
  if (endpoint.namespaced) {
    if (info.namespace !== '') return;
    // A selector may give a watch a name too, but only the legacy path has one.
    if (info.verb === 'watch' && info.parts.length > 1) throw unknownResource();
    if (!collectionVerbs.has(info.verb)) throw info.name === '' ? methodNotAllowed() : unknownResource();
    if (info.verb !== 'list' && info.verb !== 'watch') throw methodNotAllowed();
  } else if (info.isWithinNamespace) throw unknownResource();
}
