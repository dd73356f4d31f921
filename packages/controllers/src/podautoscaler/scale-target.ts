import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { type GroupVersionResource, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { type DiscoveryClient, NoMatchError, RestMapper } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { Scale } from '@binnacle/client/kinds/autoscaling/v1';
import type { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import { isConflict, retryOnConflict } from '@binnacle/client/rest';

interface Tools {
  readonly client: DynamicClient;
  readonly discovery: DiscoveryClient;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}

/** The object that an autoscaler scales. */
export interface ScaleTarget {
  readonly resource: GroupVersionResource;
  readonly scale: Scale;
}

/** The scale of the target, or why there is none. Rejects only if the request was stopped. */
export async function findTarget(
  { metadata, spec }: HorizontalPodAutoscaler,
  { client, discovery, signal }: Omit<Tools, 'clock' | 'random'>,
): Promise<ScaleTarget | { readonly failure: string }> {
  const { apiVersion = '', kind, name } = spec.scaleTargetRef;
  const version = parseGroupVersion(apiVersion);
  if (version === undefined) return { failure: `unexpected GroupVersion string: ${apiVersion}` };
  const { group } = version;
  try {
    const { resource } = await new RestMapper(discovery).resourceForKind({ group, kind }, { signal });
    const scale = await client
      .resource(resource)
      .namespace(metadata.namespace ?? '')
      .scale.get(name, { signal });
    return { resource, scale };
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof NoMatchError)) return { failure: messageOf(error) };
    return { failure: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}` };
  }
}

/** Sets the size. A conflict reads the scale again. Resolves to the message of a failure. */
export async function rescale(
  { resource, scale }: ScaleTarget,
  replicas: number,
  { client, signal, clock, random }: Tools,
): Promise<string | undefined> {
  const { namespace = '', name = '' } = scale.metadata;
  const scales = client.resource(resource).namespace(namespace).scale;
  let latest = scale;
  try {
    await retryOnConflict(
      async () => {
        try {
          await scales.update({ ...latest, spec: { ...latest.spec, replicas } }, { signal });
        } catch (error) {
          if (isConflict(error)) latest = await scales.get(name, { signal });
          throw error;
        }
      },
      { signal, clock, random },
    );
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return messageOf(error);
  }
}
