import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import type { Hold } from './container-life.js';
import { type Reference, type Source, variableReferences } from './sources.js';
import { subPathProblemOf } from './sub-paths.js';

/** Why a container waits: a ConfigMap or Secret that it needs is missing. */
export const CONFIG_ERROR = 'CreateContainerConfigError';
/** Why a container waits: the node does not have its image. Upstream: `ErrImageNeverPull`. */
export const NO_IMAGE = 'ErrImageNeverPull';

/** A source, and whether its keys matter, or only that it exists. */
export interface NeededSource extends Source {
  readonly withKeys: boolean;
}

/** The keys of a source; undefined: it does not exist. */
export type KeysOf = (source: Source) => ReadonlySet<string> | undefined;

/** What a pod needs before its next containers can start, each once. */
export function neededSources(pod: Pod): readonly NeededSource[] {
  const found = new Map<string, NeededSource>();
  const need = ({ kind, name }: Source, withKeys: boolean): void => {
    const id = `${kind}/${name}`;
    found.set(id, { kind, name, withKeys: withKeys || found.get(id)?.withKeys === true });
  };
  for (const source of volumeSources(pod)) need(source, false);
  for (const container of waitingContainers(pod)) {
    for (const reference of requiredReferences(container)) need(reference, reference.key !== undefined);
  }
  return [...found.values()];
}

/** Why containers cannot start, by their names. Upstream: `makeEnvironmentVariables`, then `makeMounts`. */
export function holdsOf(pod: Pod, keysOf: KeysOf): ReadonlyMap<string, Hold> {
  const { namespace = '' } = pod.metadata;
  const holds = new Map<string, Hold>();
  for (const container of waitingContainers(pod)) {
    const message = sourceProblemOf(container, namespace, keysOf) ?? subPathProblemOf(pod, container);
    if (message !== undefined) holds.set(container.name, { reason: CONFIG_ERROR, message });
  }
  return holds;
}

/** Why the first containers of a pod have no volumes yet. Upstream: `MountVolume.SetUp` of `configmap` and `secret`. */
export function mountProblemOf(pod: Pod, keysOf: KeysOf): string | undefined {
  const missing = volumeSources(pod).find((source) => keysOf(source) === undefined);
  if (missing === undefined) return undefined;
  const { kind, name, volume } = missing;
  return `MountVolume.SetUp failed for volume ${JSON.stringify(volume)} : ${kind.toLowerCase()} ${JSON.stringify(name)} not found`;
}

/** None once a container has run. Projected volumes are left out: nearly all pods have one, of objects that exist. */
function volumeSources({ spec, status = {} }: Pod): readonly (Source & { readonly volume: string })[] {
  const { phase, initContainerStatuses = [], containerStatuses = [] } = status;
  const hasRun = [...initContainerStatuses, ...containerStatuses].some(
    ({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined,
  );
  if (hasRun || phase === 'Succeeded' || phase === 'Failed') return [];
  return (spec?.volumes ?? []).flatMap(({ name: volume, configMap, secret }) => [
    ...(configMap?.name === undefined || configMap.optional === true
      ? []
      : [{ kind: 'ConfigMap' as const, name: configMap.name, volume }]),
    ...(secret?.secretName === undefined || secret.optional === true
      ? []
      : [{ kind: 'Secret' as const, name: secret.secretName, volume }]),
  ]);
}

function sourceProblemOf(container: Container, namespace: string, keysOf: KeysOf): string | undefined {
  for (const reference of requiredReferences(container)) {
    const message = problemOf(reference, namespace, keysOf(reference));
    if (message !== undefined) return message;
  }
  return undefined;
}

function problemOf(
  { kind, name, key }: Reference,
  namespace: string,
  keys: ReadonlySet<string> | undefined,
): string | undefined {
  if (keys === undefined) return `${kind.toLowerCase()} ${JSON.stringify(name)} not found`;
  if (key === undefined || keys.has(key)) return undefined;
  return `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}

/** The containers that may start next: those that neither run nor are done. */
function waitingContainers({ spec, status = {} }: Pod): readonly Container[] {
  const { containers = [], initContainers = [] } = spec ?? {};
  const { phase, initContainerStatuses = [], containerStatuses = [] } = status;
  if (phase === 'Succeeded' || phase === 'Failed') return [];
  const running = containerStatuses.filter(({ state }) => state?.running !== undefined);
  const prepared = initContainerStatuses.filter(
    ({ state }) => state?.running !== undefined || state?.terminated?.exitCode === 0,
  );
  const names = new Set([...running, ...prepared].map(({ name }) => name));
  return [...initContainers, ...containers].filter(({ name }) => !names.has(name));
}

/** Optional ones hold nothing back. */
function requiredReferences(container: Container): readonly Reference[] {
  return variableReferences(container).filter(({ isOptional }) => !isOptional);
}
