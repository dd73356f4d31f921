import type { DynamicClient } from '@binnacle/client/dynamic';
import { ConfigMap, type Pod, Secret } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { type Hold, holdsOf, neededSources, type Source } from '../pods/index.js';

const NONE: ReadonlyMap<string, Hold> = new Map();

/** Why containers of the pod cannot start. Reads each ConfigMap and Secret that they need once; most pods need none. */
export async function findHolds(
  pod: Pod,
  client: DynamicClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Hold>> {
  const sources = neededSources(pod);
  if (sources.length === 0) return NONE;
  const { namespace = '' } = pod.metadata;
  const keys = new Map<string, ReadonlySet<string> | undefined>();
  const nameOf = ({ kind, name }: Source): string => `${kind}/${name}`;
  for (const source of sources) keys.set(nameOf(source), await keysIn(source, { namespace, client, signal }));
  return holdsOf(pod, (source) => keys.get(nameOf(source)));
}

async function keysIn(
  { kind, name }: Source,
  {
    namespace,
    client,
    signal,
  }: { readonly namespace: string; readonly client: DynamicClient; readonly signal: AbortSignal },
): Promise<ReadonlySet<string> | undefined> {
  const resource = kind === 'ConfigMap' ? client.resource(ConfigMap) : client.resource(Secret);
  try {
    const object: ConfigMap | Secret = await resource.namespace(namespace).get(name, { signal });
    const binary = 'binaryData' in object ? object.binaryData : undefined;
    return new Set([...Object.keys(object.data ?? {}), ...Object.keys(binary ?? {})]);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
