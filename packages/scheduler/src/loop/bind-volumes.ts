import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { type Node, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { annotationOf, boundVolume, SELECTED_NODE, withAnnotation } from '@binnacle/controllers/volumes';
import type { PodFacts } from '../framework/index.js';
import type { BindingPlace, VolumeBinder, VolumePlan } from '../plugins/index.js';
import { isComplete } from './binding-progress.js';
import type { Changes } from './changes.js';
import { keyOfClaim, type StorageCache, type StorageCaches } from './storage-cache.js';

export interface VolumeBinderOptions {
  readonly client: DynamicClient;
  readonly clock: Clock;
  readonly caches: StorageCaches;
  readonly storage: StorageCache;
  /** Announces each change of a volume or claim, and deletions of pods and nodes, by key. */
  readonly changes: Changes;
  readonly hasPod: (pod: PodFacts) => boolean;
  readonly node: (name: string) => Node | undefined;
}

/** The keys of {@link VolumeBinderOptions.changes}. */
export const podKey = (uid: string) => `pod ${uid}`;
export const nodeKey = (name: string) => `node ${name}`;
export const volumeKey = (name: string) => `volume ${name}`;
export const claimKey = (claim: PersistentVolumeClaim) => `claim ${keyOfClaim(claim)}`;

/** Writes which volume or node a claim gets, and waits for the volume binder and the provisioner. Upstream: `volumeBinder`. */
export function volumeBinder(options: VolumeBinderOptions): VolumeBinder {
  const { storage } = options;
  return {
    assume: ({ bindings, provisions }, nodeName) => {
      const plan: VolumePlan = {
        bindings: bindings.map(({ claim, volume }) => ({ claim, volume: boundVolume(volume, claim) })),
        provisions: provisions.map((claim) => withSelectedNode(claim, nodeName)),
      };
      for (const { volume } of plan.bindings) storage.assumeVolume(volume);
      for (const claim of plan.provisions) storage.assumeClaim(claim);
      return plan;
    },
    revert: ({ bindings, provisions }) => {
      for (const { volume } of bindings) storage.forgetVolume(volume);
      for (const claim of provisions) storage.forgetClaim(claim);
    },
    bind: async (plan, place, signal) => {
      await write(plan, options, signal);
      try {
        await untilBound(plan, place, options, signal);
      } catch (error) {
        throw new Error(`binding volumes: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function withSelectedNode(claim: PersistentVolumeClaim, nodeName: string): PersistentVolumeClaim {
  return annotationOf(claim, SELECTED_NODE) === nodeName ? claim : withAnnotation(claim, SELECTED_NODE, nodeName);
}

/** A conflict rejects: the decision was made from a stale cache. */
async function write(
  { bindings, provisions }: VolumePlan,
  { client, caches }: VolumeBinderOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const { volume } of bindings) {
    const isWritten = caches.volumes.indexer.get(volume.metadata.name ?? '') === volume;
    if (!isWritten) await client.resource(PersistentVolume).update(volume, { signal });
  }
  for (const claim of provisions) {
    const { namespace = '' } = claim.metadata;
    const isWritten = caches.claims.indexer.get(keyOfClaim(claim)) === claim;
    if (!isWritten) await client.resource(PersistentVolumeClaim).namespace(namespace).update(claim, { signal });
  }
}

async function untilBound(
  plan: VolumePlan,
  { pod, nodeName, timeoutMs }: BindingPlace,
  { clock, caches, changes, hasPod, node }: VolumeBinderOptions,
  signal: AbortSignal,
): Promise<void> {
  const { bindings, provisions } = plan;
  const end = clock.monotonic() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    if (!hasPod(pod)) throw new Error(`pod does not exist any more: pod ${JSON.stringify(pod.name)} not found`);
    const present = node(nodeName);
    if (present === undefined) throw new Error(`failed to get node ${JSON.stringify(nodeName)}`);
    const volume = (name: string) => caches.volumes.indexer.get(name);
    const claim = (wanted: PersistentVolumeClaim) => caches.claims.indexer.get(keyOfClaim(wanted));
    if (isComplete(plan, { volume, claim, node: present })) return;
    const left = end - clock.monotonic();
    if (left <= 0) throw new Error('context deadline exceeded');
    const claims = [...bindings.map((binding) => binding.claim), ...provisions];
    const volumes = claims.map((wanted) => claim(wanted)?.spec?.volumeName ?? '').filter((name) => name !== '');
    const bound = bindings.map((binding) => binding.volume.metadata.name ?? '');
    const keys = [
      podKey(pod.uid),
      nodeKey(nodeName),
      ...claims.map(claimKey),
      ...[...volumes, ...bound].map(volumeKey),
    ];
    await changes.next([...new Set(keys)], left, signal);
  }
}
