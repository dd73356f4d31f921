import { resources, storedPrefix } from '@binnacle/api/table';
import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import { parseDuration, TimeParseError } from '@binnacle/apimachinery/time';

/** How long the former values of a resource stay readable. Their events stay longer. */
export interface ValueRetention {
  readonly resource: GroupResource;
  readonly retentionMs: number;
}

/**
 * As long as etcd keeps history under kube-apiserver. Clients rely on it: a watch begins at a recent resourceVersion, and all pages
 * of a list are read at one. So no resource has a shorter retention. Upstream: `--etcd-compaction-interval`.
 */
export const DEFAULT_RETENTION_MS = 5 * 60_000;

/** The group of a custom resource has a dot. */
const CUSTOM = /^[a-z][a-z0-9-]*(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?){2,}$/;
const NAMES = 'kubectl api-resources lists the names';
const EXAMPLE = 'such as secrets=0 or events.events.k8s.io=30m';

/**
 * Reads `RESOURCE=DURATION`, where 0 means {@link DEFAULT_RETENTION_MS}. `historyRetentionMs`: of the whole history; 0 =
 * forever, undefined = the default. Throws a RangeError that says what to do.
 */
export function parseValueRetentions(
  texts: readonly string[],
  historyRetentionMs = DEFAULT_RETENTION_MS,
): ValueRetention[] {
  const known = new Map<string, string>();
  return texts.map((text) => {
    const [, name, duration] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
    if (name === undefined || duration === undefined) {
      throw new RangeError(`${JSON.stringify(text)} is not RESOURCE=DURATION, ${EXAMPLE}`);
    }
    const resource = parseResource(name);
    const prefix = storedPrefix(resource, '');
    const before = known.get(prefix);
    if (before !== undefined) throw new RangeError(`${before} and ${text} are of the same objects: give one of them`);
    known.set(prefix, text);
    const milliseconds = parseMilliseconds(duration, text);
    if (historyRetentionMs > 0 && milliseconds > historyRetentionMs) {
      throw new RangeError(
        `${text} is longer than --history-retention, which forgets everything: raise that, or lower this`,
      );
    }
    return { resource, retentionMs: Math.max(milliseconds, DEFAULT_RETENTION_MS) };
  });
}

export interface Retentions {
  readonly historyRetentionMs: number;
  readonly valueRetentions: readonly ValueRetention[];
  /** The prefix of every key. */
  readonly storagePrefix: string;
}

/** What is forgotten after which time: all history, and the values under prefixes that are forgotten before it. */
export function retentionsOf({
  historyRetentionMs,
  valueRetentions,
  storagePrefix,
}: Retentions): readonly { readonly retentionMs: number; readonly valuesUnder?: string }[] {
  const earlier = valueRetentions.filter(
    ({ retentionMs }) => historyRetentionMs === 0 || retentionMs < historyRetentionMs,
  );
  const ofValues = earlier.map(({ resource, retentionMs }) => ({
    retentionMs,
    valuesUnder: storedPrefix(resource, storagePrefix),
  }));
  return [{ retentionMs: historyRetentionMs }, ...ofValues];
}

/** The name of the resource whose keys have a prefix, as {@link parseValueRetentions} reads it. */
export function resourceUnder(prefix: string, storagePrefix: string): string {
  const path = prefix.slice(storagePrefix.length, -1);
  const own = storedResources().find(({ etcdPrefix }) => etcdPrefix === path);
  if (own !== undefined) return formatGroupResource(own);
  const [group = '', resource = ''] = path.split('/');
  return formatGroupResource({ group, resource });
}

function parseResource(name: string): GroupResource {
  const dot = name.indexOf('.');
  const resource =
    dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
  if (storedResources().some((facts) => facts.group === resource.group && facts.resource === resource.resource)) {
    return resource;
  }
  const meant = storedResources().find(
    (facts) =>
      [facts.resource, facts.singular, facts.kind.toLowerCase(), ...(facts.shortNames ?? [])].includes(
        resource.resource.toLowerCase(),
      ) && [facts.group, ''].includes(resource.group),
  );
  if (meant !== undefined)
    throw new RangeError(`${JSON.stringify(name)} is not a resource: write ${formatGroupResource(meant)}`);
  const isCustom = CUSTOM.test(name) && !resources().some(({ group }) => group === resource.group);
  if (!isCustom) throw new RangeError(`${JSON.stringify(name)} is not a stored resource: ${NAMES}, ${EXAMPLE}`);
  return resource;
}

function parseMilliseconds(duration: string, text: string): number {
  let milliseconds: number;
  try {
    milliseconds = Number(parseDuration(duration) / 1_000_000n);
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
    throw new RangeError(`${text} has no duration, such as 30m or 24h, or 0`, { cause: error });
  }
  if (milliseconds === 0 || milliseconds >= DEFAULT_RETENTION_MS) return milliseconds;
  throw new RangeError(`${text}: give 5m or more, or 0 for the shortest time that clients can work with, which is 5m`);
}

const storedResources = () => resources().filter(({ etcdPrefix }) => etcdPrefix !== undefined);
