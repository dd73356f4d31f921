import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed, unknownResource } from '@binnacle/apimachinery/status';
import { type Handler, type RequestContext, respondText } from '../http/index.js';
import { apiGroupDiscoveryList } from './aggregated.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './documents.js';
import { DiscoveryDocument, respondDiscovery, respondRaw } from './respond.js';
import { listedPaths } from './paths.js';
import type { DiscoveredGroup, DiscoverySource } from './source.js';
import { versionInfo } from './version.js';

export interface DiscoveryOptions {
  readonly source: DiscoverySource;
  /** `host:port` by which clients reach the server; asked for with each answer of `/api`. */
  readonly serverAddress: () => string;
  /** Names this server in the build part of the version: `binnacle.0.1.0`. */
  readonly build: string;
  /** The media types of the lists of built-in resources; all else is in those that are always on. Default: those. */
  readonly serializers?: readonly Serializer[];
  /** Further paths for the root path list: health, OpenAPI, metrics. Any order. */
  readonly otherPaths?: () => readonly string[];
}

export interface Discovery {
  /**
   * The handler of a path that is discovery's: `/`, `/version`, and everything under `/api` and `/apis` above the resources,
   * unknown groups and versions included, with or without a slash at the end. Undefined for all others.
   */
  handlerFor(path: string): Handler | undefined;
}

interface Documents {
  readonly revision: number;
  readonly groups: ReadonlyMap<string, DiscoveredGroup>;
  /** By path, `aggregated` appended for the aggregated form. Filled as they are asked for. */
  readonly made: Map<string, DiscoveryDocument>;
}

/** Serves discovery from the source, which may change at any time. */
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
    // Upstream's list of the core version fails where it is asked for in CBOR; its OpenAPI says that it would not.
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
    // The core group is not to be had by leaving its name out.
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

/** Without HEAD, which upstream answers for the lists of groups and for custom groups alone. */
function getOnly(handler: Handler): Handler {
  return (context) => {
    if (context.exchange.method !== 'GET') throw methodNotAllowed();
    return handler(context);
  };
}

/** No group of that name: nothing stands behind the path, as behind any other unknown one. */
const respondNoSuchPath: Handler = (context) => respondText(context, 404, '404 page not found\n');

const noSuchVersion: Handler = () => {
  throw unknownResource();
};
