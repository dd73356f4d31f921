import { messageOf } from '@binnacle/apimachinery/errors';
import { KVError } from '@binnacle/kv';
import type { Authorizer } from '../authorization/index.js';
import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { badRequest, forbidden, internalError, methodNotAllowed, notFound } from '@binnacle/apimachinery/status';
import { respondJson } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import type { Fork, Forks } from './forks.js';
import { isName, type PointSources, revisionOf } from './points.js';
import { forgotten, refusalOf } from './refusals.js';
import type { Snapshot, Snapshots } from './snapshots.js';

const SNAPSHOTS_PATH = '/binnacle/v1/snapshots';
const FORKS_PATH = '/binnacle/v1/forks';
const LARGEST_BODY_BYTES = 4096;
const LARGEST_PORT = 65_535;

export interface ForkPagesOptions extends PointSources {
  readonly snapshots: Snapshots;
  /** Undefined: this server cannot be forked. */
  readonly forks: Forks | undefined;
  readonly authorizer: Authorizer;
  /** The name of the resource whose keys have a prefix. */
  readonly resourceUnder: (prefix: string) => string;
}

export interface ForkPages {
  handlerFor(path: string): Handler | undefined;
}

/**
 * On each collection, `GET` lists and `POST` makes one; below it, by name, `GET` returns one and `DELETE` ends it. Only
 * the answer to the `POST` of a fork has its kubeconfig.
 */
export function createForkPages(options: ForkPagesOptions): ForkPages {
  const { forks, snapshots } = options;
  const pages: readonly Page[] = [
    { path: SNAPSHOTS_PATH, kind: 'Snapshot', collection: snapshotCollection(options, snapshots) },
    ...(forks === undefined ? [] : [{ path: FORKS_PATH, kind: 'Fork', collection: forkCollection(options, forks) }]),
  ];
  return {
    handlerFor: (path) => {
      const page = pages.find((each) => isWithin(each.path, path));
      if (page === undefined) return undefined;
      return async (context) => {
        await demandAdministrator(context, options.authorizer);
        await answer(page, context, path.slice(page.path.length + 1));
      };
    },
  };
}

/** The pages of a server that shares its store with other processes. */
export function refusedForkPages(): ForkPages {
  return {
    handlerFor: (path) => {
      if (!isWithin(SNAPSHOTS_PATH, path) && !isWithin(FORKS_PATH, path)) return undefined;
      return () => {
        throw badRequest('a server with several --workers has neither snapshots nor forks; start it with --workers 1');
      };
    },
  };
}

/** Whether a path is that of a collection, or below it. */
function isWithin(collection: string, path: string): boolean {
  return path === collection || path.startsWith(`${collection}/`);
}

interface Collection {
  list(): Promise<readonly JsonObject[]>;
  find(name: string): Promise<JsonObject>;
  add(body: Body, signal: AbortSignal): Promise<JsonObject>;
  remove(name: string): Promise<JsonObject>;
}

interface Page {
  readonly path: string;
  readonly kind: string;
  readonly collection: Collection;
}

async function answer({ kind, collection }: Page, context: RequestContext, name: string): Promise<void> {
  const { exchange } = context;
  const typed = (document: JsonObject): JsonObject => ({ kind, apiVersion: 'binnacle.dev/v1', ...document });
  switch (`${exchange.method} ${name === '' ? 'all' : 'one'}`) {
    case 'GET all': {
      const items = [...(await collection.list())];
      return respondJson(context, 200, { kind: `${kind}List`, apiVersion: 'binnacle.dev/v1', items });
    }
    case 'POST all': {
      const body = new Body(await exchange.readBody(LARGEST_BODY_BYTES));
      return respondJson(context, 201, typed(await collection.add(body, exchange.signal)));
    }
    case 'GET one':
      return respondJson(context, 200, typed(await collection.find(name)));
    case 'DELETE one':
      return respondJson(context, 200, typed(await collection.remove(name)));
    default:
      throw methodNotAllowed();
  }
}

function snapshotCollection(sources: PointSources, snapshots: Snapshots): Collection {
  return {
    list: async () => (await snapshots.list()).map(shownSnapshot),
    find: async (name) => {
      const found = await snapshots.find(name);
      if (found === undefined) throw notFound({ group: 'binnacle.dev', resource: 'snapshots' }, name);
      return shownSnapshot(found);
    },
    add: async (body, signal) => {
      body.allow('name', 'at');
      const name = body.name();
      if (name === undefined) throw badRequest('name is missing');
      return shownSnapshot(await snapshots.add(name, await revisionOf(sources, body.text('at'), signal)));
    },
    remove: async (name) => shownSnapshot(await snapshots.remove(name)),
  };
}

function forkCollection(sources: ForkPagesOptions, forks: Forks): Collection {
  return {
    list: async () => forks.list().map(shownFork),
    find: async (name) => shownFork(forks.get(name)),
    add: async (body, signal) => {
      body.allow('name', 'at', 'port', 'sharesCredentials');
      const options = { port: body.port(), sharesCredentials: body.flag('sharesCredentials') };
      const name = body.name();
      const revision = await revisionOf(sources, body.text('at'), signal);
      const fork = await forks.add(name, { ...options, revision }).catch((error: unknown) => {
        throw forkRefusal(error, sources.resourceUnder);
      });
      return { ...shownFork(fork), kubeconfig: fork.server.kubeconfig };
    },
    remove: async (name) => shownFork(await forks.remove(name)),
  };
}

/** A fork begins with the values of all objects. Names the resource whose values it would lack. */
function forkRefusal(error: unknown, resourceUnder: (prefix: string) => string): unknown {
  if (!(error instanceof KVError) || error.forgotten === undefined) return refusalOf(error);
  const { prefix, revision } = error.forgotten;
  return forgotten(
    `a fork of this point would lack former values of ${resourceUnder(prefix)}; the oldest revision with all of them is ${revision}`,
  );
}

function shownSnapshot({ name, revision, time }: Snapshot): JsonObject {
  return { name, resourceVersion: String(revision), time: new Date(time).toISOString() };
}

function shownFork({ server, ...fork }: Fork): JsonObject {
  return { ...shownSnapshot(fork), url: server.url };
}

/** Whoever gets a fork may do everything on it, so they must have that right here. */
async function demandAdministrator({ user }: RequestContext, authorizer: Authorizer): Promise<void> {
  const everything = { verb: '*', namespace: '', group: '*', version: '*', resource: '*', subresource: '', name: '' };
  const decision = await authorizer.authorize({ ...everything, user, isResourceRequest: true, path: '' });
  if (decision.allowed) return;
  if (decision.error !== undefined) throw internalError(new Error(decision.error));
  const why = `User ${JSON.stringify(user.name)} is not an administrator, who may do everything on all resources`;
  throw forbidden({ group: '', resource: '' }, '', why);
}

/** The document of a `POST`. Throws 400 for a field that is missing, unknown or malformed. */
class Body {
  readonly #fields: JsonObject;

  constructor(bytes: Buffer) {
    this.#fields = bytes.length === 0 ? {} : read(bytes);
  }

  allow(...names: readonly string[]): void {
    const unknown = Object.keys(this.#fields).find((name) => !names.includes(name));
    if (unknown !== undefined) throw badRequest(`unknown field ${JSON.stringify(unknown)}`);
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') throw badRequest(`${name} must be a string`);
    return value;
  }

  name(): string | undefined {
    const name = this.text('name');
    if (name === undefined || isName(name)) return name;
    throw badRequest('name must be a DNS label that begins with a lower-case letter');
  }

  flag(name: string): boolean {
    const value = this.#fields[name] ?? false;
    if (typeof value !== 'boolean') throw badRequest(`${name} must be true or false`);
    return value;
  }

  port(): number {
    const value = this.#fields['port'] ?? 0;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_PORT) return value;
    throw badRequest(`port must be from 0 to ${LARGEST_PORT}`);
  }
}

function read(bytes: Buffer): JsonObject {
  try {
    const { value } = parseJson(bytes);
    if (isObject(value)) return value;
  } catch (error) {
    throw badRequest(`the body is not JSON: ${messageOf(error)}`);
  }
  throw badRequest('the body is not a JSON object');
}
