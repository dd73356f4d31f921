import type { DynamicClient } from '@binnacle/client/dynamic';
import { ConfigMap, type Pod, Secret } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { holdsOf, mountProblemOf, type NeededSource, neededSources, type PodLook, type Source } from '../pods/index.js';

/** Why a pod or containers of it cannot start. */
export type Holds = Pick<PodLook, 'mountProblem' | 'holds'>;

/** Reads each ConfigMap and Secret that the pod needs next, once; most pods need none. */
export async function findHolds(pod: Pod, client: DynamicClient, signal: AbortSignal): Promise<Holds> {
  const sources = neededSources(pod);
  if (sources.length === 0) return { holds: holdsOf(pod, () => undefined) };
  const { namespace = '' } = pod.metadata;
  const keys = new Map<string, ReadonlySet<string> | undefined>();
  const nameOf = ({ kind, name }: Source): string => `${kind}/${name}`;
  for (const source of sources) keys.set(nameOf(source), await keysIn(source, { namespace, client, signal }));
  const keysOf = (source: Source): ReadonlySet<string> | undefined => keys.get(nameOf(source));
  return { mountProblem: mountProblemOf(pod, keysOf), holds: holdsOf(pod, keysOf) };
}

/** Only as much as is needed: to read a large source takes long. */
async function keysIn(
  { kind, name, withKeys }: NeededSource,
  {
    namespace,
    client,
    signal,
  }: { readonly namespace: string; readonly client: DynamicClient; readonly signal: AbortSignal },
): Promise<ReadonlySet<string> | undefined> {
  const resource = kind === 'ConfigMap' ? client.resource(ConfigMap) : client.resource(Secret);
  try {
    const object: ConfigMap | Secret = await resource
      .namespace(namespace)
      .get(name, { metadataOnly: !withKeys, signal });
    const binary = 'binaryData' in object ? object.binaryData : undefined;
    return new Set([...Object.keys(object.data ?? {}), ...Object.keys(binary ?? {})]);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
