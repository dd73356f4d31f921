import { formatGroupResource, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { SendOptions } from '../transport/index.js';
import type { ApiResource, ApiSurface } from './api-surface.js';
import type { DiscoveryClient } from './discovery-client.js';

/** The server does not serve the kind or resource. */
export class NoMatchError extends Error {
  override readonly name = 'NoMatchError';
}

export interface KindQuery {
  readonly group: string;
  readonly kind: string;
  /** Default: the preferred version that has the kind. */
  readonly version?: string | undefined;
}

export interface ResourceQuery {
  /** Plural, singular or short: `deployments`, `deployment`, `deploy`. */
  readonly resource: string;
  /** Default: the first group that has it. */
  readonly group?: string | undefined;
  readonly version?: string | undefined;
}

type Options = Pick<SendOptions, 'signal'>;

/** Maps kinds to resources and names to resources. For an unknown one it runs discovery again. */
export class RestMapper {
  readonly #discovery: DiscoveryClient;

  constructor(discovery: DiscoveryClient) {
    this.#discovery = discovery;
  }

  /** The resource of a kind. Rejects with a {@link NoMatchError}. */
  async resourceForKind(query: KindQuery, options: Options = {}): Promise<ApiResource> {
    const { group, kind, version } = query;
    const groupVersion = [group, version].filter((part) => part !== undefined && part !== '').join('/');
    return this.#find(
      (surface) => findKind(surface, query),
      `no resource for kind "${kind}" in ${groupVersion === '' ? 'the core group' : groupVersion}`,
      options,
    );
  }

  /**
   * The resource that a query or a name denotes, in kubectl's notation: `deploy`, `deployments.apps`, `deployments.v1.apps`. Rejects with a
   * {@link NoMatchError}.
   */
  async resourceFor(query: string | ResourceQuery, options: Options = {}): Promise<ApiResource> {
    const readings = typeof query === 'string' ? readingsOf(query) : [query];
    const text =
      typeof query === 'string' ? query : formatGroupResource({ group: query.group ?? '', resource: query.resource });
    return this.#find(
      (surface) => firstDefined(readings, (reading) => findResource(surface, reading)),
      `the server has no resource "${text}"`,
      options,
    );
  }

  async kindFor(query: string | ResourceQuery, options: Options = {}): Promise<GroupVersionKind> {
    return (await this.resourceFor(query, options)).kind;
  }

  async #find(
    search: (surface: ApiSurface) => ApiResource | undefined,
    complaint: string,
    options: Options,
  ): Promise<ApiResource> {
    const known = await this.#discovery.surface(options);
    const found = search(known);
    if (found !== undefined) return found;
    // Another caller may have refreshed discovery in between.
    if ((await this.#discovery.surface(options)) === known) this.#discovery.invalidate();
    const fresh = await this.#discovery.surface(options);
    const late = search(fresh);
    if (late !== undefined) return late;
    const silent = fresh.failures.map(({ group, version }) => (group === '' ? version : `${group}/${version}`));
    throw new NoMatchError(
      silent.length === 0 ? complaint : `${complaint}; it could not say what is in ${silent.join(', ')}`,
    );
  }
}

/** `a.b.c` is resource a of group b.c, or of version b in group c. */
function readingsOf(text: string): ResourceQuery[] {
  const [resource = '', ...rest] = text.split('.');
  if (rest.length === 0) return [{ resource }];
  const [version = '', ...group] = rest;
  const versioned = { resource, version, group: group.join('.') };
  return /^v\d/.test(version)
    ? [versioned, { resource, group: rest.join('.') }]
    : [{ resource, group: rest.join('.') }];
}

function findKind({ groups }: ApiSurface, { group, kind, version }: KindQuery): ApiResource | undefined {
  const versions = groups.find(({ name }) => name === group)?.versions ?? [];
  const candidates = versions.filter((each) => version === undefined || each.version === version);
  return firstDefined(candidates, ({ resources }) =>
    resources.find((each) => each.kind.kind === kind && each.kind.group === group),
  );
}

/** A plural name takes precedence over a singular one, and that over a short one, in any group. */
function findResource({ groups }: ApiSurface, query: ResourceQuery): ApiResource | undefined {
  const wanted = query.resource.toLowerCase();
  const resources = groups
    .filter(({ name }) => query.group === undefined || query.group === name)
    .flatMap(({ versions }) => versions)
    .filter(({ version }) => query.version === undefined || query.version === version)
    .flatMap((version) => version.resources);
  return (
    resources.find(({ resource }) => resource.resource === wanted) ??
    resources.find(({ singularName }) => singularName === wanted) ??
    resources.find(({ shortNames }) => shortNames.includes(wanted))
  );
}

function firstDefined<T, U>(values: readonly T[], find: (value: T) => U | undefined): U | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
