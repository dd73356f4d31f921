import { sortedKeys } from '@binnacle/apimachinery/json';
import { acceptsExactly, listedMediaTypes, type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';
import { methodNotAllowed, notAcceptableRepresentation, unknownResource } from '@binnacle/apimachinery/status';
import { respondText } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { apiGroupDiscoveryList } from './aggregated.js';
import { DiscoveryDocuments, documentOf } from './discovery-documents.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './documents.js';
import { type DiscoveryDocument, respondDiscovery, respondRaw } from './respond.js';
import type { DiscoveredGroup, DiscoverySource } from './source.js';
import { versionInfo } from './version.js';

export interface DiscoveryOptions {
  /** The groups that this server serves itself. */
  readonly source: DiscoverySource;
  /** The groups of the plain lists. Differs from `source` when extension API servers serve some. Default: `source`. */
  readonly listed?: DiscoverySource | undefined;
  /** The groups of the aggregated document. Default: `source`. */
  readonly aggregated?: DiscoverySource | undefined;
  /** `host:port` at which clients reach the server. Called for each answer of `/api`. */
  readonly serverAddress: () => string;
  /** Identifies this server in the build part of the version: `binnacle.0.1.0`. */
  readonly build: string;
  /**
   * The media types of the lists of built-in resources. Default: those that are always on, as for other documents.
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

/** Serves discovery from a source that may change at any time. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const discovery = new DiscoveryHandlers(options);
  return { handlerFor: (path) => discovery.find(path) };
}

class DiscoveryHandlers {
  readonly #options: DiscoveryOptions;
  readonly #documents: DiscoveryDocuments;
  readonly #listed: DiscoveryDocuments;
  readonly #aggregated: DiscoveryDocuments;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    const { source, listed, aggregated } = options;
    this.#documents = new DiscoveryDocuments(source);
    this.#listed = listed === undefined ? this.#documents : new DiscoveryDocuments(listed);
    this.#aggregated = aggregated === undefined ? this.#documents : new DiscoveryDocuments(aggregated);
  }

  find(path: string): Handler | undefined {
    if (path === '/' || path === '/index.html') return (context) => this.#root(context);
    const [first, ...rest] = path.replace(/^\/|\/$/g, '').split('/');
    const [second, third] = rest;
    if (first === 'version' && second === undefined)
      return getOnly(['application/json'], (context) => respondRaw(context, versionInfo(this.#options.build)));
    if (first === 'api') {
      if (second === undefined) return getOnly(listedMediaTypes(SERIALIZERS), (context) => this.#coreVersions(context));
      return rest.length === 1 ? this.#version('', second) : undefined;
    }
    if (first !== 'apis') return undefined;
    if (second === undefined) return (context) => this.#groupList(context);
    // An empty group name does not select the core group.
    if (second === '') return respondNoSuchPath;
    if (third === undefined) return this.#group(second);
    return rest.length === 2 ? this.#version(second, third) : this.#belowVersion(second, third);
  }

  #root(context: RequestContext): void | Promise<void> {
    const others = this.#options.otherPaths?.() ?? [];
    return respondRaw(context, {
      paths: listedPaths([...this.#documents.groups().values(), ...this.#listed.groups().values()], others),
    });
  }

  #coreVersions(context: RequestContext): void | Promise<void> {
    const plain = (): DiscoveryDocument =>
      documentOf(apiVersions(this.#documents.groups().get(''), this.#options.serverAddress()));
    const aggregated = (): DiscoveryDocument =>
      this.#documents.get('/api aggregated', (groups) => apiGroupDiscoveryList(groupsOf(groups, true)));
    return respondDiscovery(context, { serializers: SERIALIZERS, plain, aggregated });
  }

  #groupList(context: RequestContext): void | Promise<void> {
    const plain = (): DiscoveryDocument => this.#listed.get('/apis', (groups) => apiGroupList(groupsOf(groups, false)));
    const aggregated = (): DiscoveryDocument =>
      this.#aggregated.get('/apis aggregated', (groups) => apiGroupDiscoveryList(groupsOf(groups, false)));
    return respondDiscovery(context, { serializers: SERIALIZERS, plain, aggregated });
  }

  #group(name: string): Handler {
    // A group without APIServices may still be served.
    const documents = this.#listed.groups().has(name) ? this.#listed : this.#documents;
    const found = documents.groups().get(name);
    if (found === undefined) return respondNoSuchPath;
    const plain = (): DiscoveryDocument => documents.get(`/apis/${name}`, () => apiGroup(found));
    return (context) => respondDiscovery(context, { serializers: SERIALIZERS, plain });
  }

  #version(group: string, name: string): Handler {
    const found = this.#documents.groups().get(group);
    if (found === undefined) return respondNoSuchPath;
    const served = found.versions.find((each) => each.version === name);
    if (served === undefined) return noSuchVersion;
    const plain = (): DiscoveryDocument =>
      this.#documents.get(`${group}/${name}`, () => apiResourceList(group, served));
    // Upstream cannot encode the list of the core version as CBOR, although its OpenAPI offers it.
    const serializers = served.custom === true ? SERIALIZERS : (this.#options.serializers ?? SERIALIZERS);
    const handler: Handler = (context) => respondDiscovery(context, { serializers, plain });
    return served.custom === true ? handler : getOnly(listedMediaTypes(serializers), handler);
  }

  /** The router of a built-in group refuses all paths of versions that are not served. */
  #belowVersion(group: string, name: string): Handler | undefined {
    const versions = this.#documents.groups().get(group)?.versions ?? [];
    const isBuiltIn = versions.some(({ custom }) => custom !== true);
    return isBuiltIn && versions.every(({ version }) => version !== name) ? noSuchVersion : undefined;
  }
}

function groupsOf(groups: ReadonlyMap<string, DiscoveredGroup>, core: boolean): DiscoveredGroup[] {
  return [...groups.values()].filter(({ group }) => (group === '') === core);
}

/**
 * Rejects other methods and ranges of media types, as upstream's router does. It does not route lists of groups, single
 * groups and custom versions.
 */
function getOnly(offered: readonly string[], handler: Handler): Handler {
  return (context) => {
    const { method, headers } = context.exchange;
    if (method !== 'GET') throw methodNotAllowed();
    if (!acceptsExactly(headers.accept, offered)) throw notAcceptableRepresentation(offered);
    return handler(context);
  };
}

/** An unknown group gets the same answer as any other unknown path. */
const respondNoSuchPath: Handler = (context) => respondText(context, 404, '404 page not found\n');

const noSuchVersion: Handler = () => {
  throw unknownResource();
};

/** The root path list: all discovery paths and the given ones, sorted, without duplicates. */
function listedPaths(groups: readonly DiscoveredGroup[], others: readonly string[]): string[] {
  const paths: Record<string, true> = { '/api': true, '/apis': true, '/apis/': true, '/version': true };
  for (const { group, versions } of groups) {
    const prefix = group === '' ? '/api' : `/apis/${group}`;
    paths[prefix] = true;
    for (const { version } of versions) paths[`${prefix}/${version}`] = true;
  }
  for (const path of others) paths[path] = true;
  return sortedKeys(paths);
}
