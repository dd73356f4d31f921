import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed, unknownResource } from '@binnacle/apimachinery/status';
import { respondText } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { apiGroupDiscoveryList } from './aggregated.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './documents.js';
import { DiscoveryDocument, respondDiscovery, respondRaw } from './respond.js';
import { listedPaths } from './paths.js';
import type { DiscoveredGroup, DiscoverySource } from './source.js';
import { versionInfo } from './version.js';

export interface DiscoveryOptions {
  readonly source: DiscoverySource;
  /** `host:port` at which clients reach the server. Called for each answer of `/api`. */
  readonly serverAddress: () => string;
  /** Identifies this server in the build part of the version: `binnacle.0.1.0`. */
  readonly build: string;
  /**
   * The media types of the lists of built-in resources. Other documents use those that are always on. Default: those.
   */
  readonly serializers?: readonly Serializer[];
  /** Further root paths, in any order: health, OpenAPI, metrics. */
  readonly otherPaths?: () => readonly string[];
}

export interface Discovery {
  /**
   * The handler of a discovery path: `/`, `/version`, and everything under `/api` and `/apis` above the resources. That
   * includes unknown groups and versions, and paths with a trailing slash. Undefined for all other paths.
   */
  handlerFor(path: string): Handler | undefined;
}

interface Documents {
  readonly revision: number;
  readonly groups: ReadonlyMap<string, DiscoveredGroup>;
  /** By path, with the suffix `aggregated` for the aggregated form. Filled on first use. */
  readonly made: Map<string, DiscoveryDocument>;
}

/** Serves discovery from a source that may change at any time. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { source } = options;
  let documents: Documents | undefined;

  const current = (): Documents => {
    if (documents?.revision !== source.revision) {
      const { revision } = source;
      const groups = new Map(source.groups().map((group) => [group.group, group]));
      documents = { revision, groups, made: new Map() };
    }
    return documents;
  };

  const document = (
    key: string,
    make: (groups: ReadonlyMap<string, DiscoveredGroup>) => JsonObject,
  ): DiscoveryDocument => {
    const { groups, made } = current();
    let known = made.get(key);
    if (known === undefined) {
      known = new DiscoveryDocument(`${stringifyJson(make(groups))}\n`);
      made.set(key, known);
    }
    return known;
  };

  const core: Handler = (context) => {
    const plain = new DiscoveryDocument(
      `${stringifyJson(apiVersions(current().groups.get(''), options.serverAddress()))}\n`,
    );
    const aggregated = (): DiscoveryDocument =>
      document('/api aggregated', (groups) => apiGroupDiscoveryList(groupsOf(groups, true)));
    return respondDiscovery(context, { serializers: SERIALIZERS, plain: () => plain, aggregated });
  };

  const named: Handler = (context) =>
    respondDiscovery(context, {
      serializers: SERIALIZERS,
      plain: () => document('/apis', (groups) => apiGroupList(groupsOf(groups, false))),
      aggregated: () => document('/apis aggregated', (groups) => apiGroupDiscoveryList(groupsOf(groups, false))),
    });

  const group = (name: string): Handler => {
    const found = current().groups.get(name);
    if (found === undefined) return respondNoSuchPath;
    const plain = (): DiscoveryDocument => document(`/apis/${name}`, () => apiGroup(found));
    return (context) => respondDiscovery(context, { serializers: SERIALIZERS, plain });
  };

  const version = (groupName: string, name: string): Handler => {
    const found = current().groups.get(groupName);
    if (found === undefined) return respondNoSuchPath;
    const served = found.versions.find((each) => each.version === name);
    if (served === undefined) return noSuchVersion;
    const key = `${groupName}/${name}`;
    const plain = (): DiscoveryDocument => document(key, () => apiResourceList(groupName, served));
    // Upstream cannot encode the list of the core version as CBOR, although its OpenAPI offers it.
    const serializers = served.custom === true ? SERIALIZERS : (options.serializers ?? SERIALIZERS);
    const handler: Handler = (context) => respondDiscovery(context, { serializers, plain });
    return served.custom === true ? handler : getOnly(handler);
  };

  const root: Handler = (context) =>
    respondRaw(context, { paths: listedPaths([...current().groups.values()], options.otherPaths?.() ?? []) });

  const find = (path: string): Handler | undefined => {
    if (path === '/' || path === '/index.html') return root;
    const [first, ...rest] = path.replace(/^\/|\/$/g, '').split('/');
    const [second, third] = rest;
    if (first === 'version' && second === undefined)
      return getOnly((context) => respondRaw(context, versionInfo(options.build)));
    if (first === 'api') {
      if (second === undefined) return getOnly(core);
      return rest.length === 1 ? version('', second) : undefined;
    }
    if (first !== 'apis') return undefined;
    if (second === undefined) return named;
    // An empty group name does not select the core group.
    if (second === '') return respondNoSuchPath;
    if (third === undefined) return group(second);
    return rest.length === 2 ? version(second, third) : undefined;
  };

  return {
    handlerFor: (path) => {
      const handler = find(path);
      return handler === undefined ? undefined : (context) => readOnly(context, handler);
    },
  };
}

function groupsOf(groups: ReadonlyMap<string, DiscoveredGroup>, core: boolean): DiscoveredGroup[] {
  return [...groups.values()].filter(({ group }) => (group === '') === core);
}

const readOnly = (context: RequestContext, handler: Handler): void | Promise<void> => {
  const { method } = context.exchange;
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
  return handler(context);
};

/** Rejects HEAD, which upstream supports only for the lists of groups and for custom groups. */
function getOnly(handler: Handler): Handler {
  return (context) => {
    if (context.exchange.method !== 'GET') throw methodNotAllowed();
    return handler(context);
  };
}

/** An unknown group gets the same answer as any other unknown path. */
const respondNoSuchPath: Handler = (context) => respondText(context, 404, '404 page not found\n');

const noSuchVersion: Handler = () => {
  throw unknownResource();
};
