import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { formatTime } from '@binnacle/apimachinery/time';
import { removeFinalizer } from '@binnacle/client/controller';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, type ResourceClaimStatus } from '@binnacle/client/kinds/resource/v1';
import { isConflict, isNotFound, retryOnConflict } from '@binnacle/client/rest';
import { readinessOf } from '../devices/index.js';
import type { PodFacts } from '../framework/index.js';
import type { ClaimUse, DeviceManager } from '../plugins/index.js';
import type { Changes } from './changes.js';
import type { DeviceCache } from './device-cache.js';

/** Keeps an allocated claim until its devices are free. The loop of resource claims removes it. */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

export interface DeviceManagerOptions {
  readonly client: DynamicClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly cache: DeviceCache;
  /** Announces each change of a claim. */
  readonly changes: Changes;
  /** Continues work that nothing waits for. */
  readonly keep: (work: () => Promise<void>) => void;
  /** Records an event of the pod. */
  readonly record: (pod: PodFacts, reason: string, message: string) => void;
}

/** The key of a claim in {@link DeviceManagerOptions.changes}. */
export const resourceClaimKey = ({ metadata }: ResourceClaim) =>
  `resource claim ${metadata.namespace}/${metadata.name}`;

/** Writes allocations and reservations of claims. Upstream: `bindClaim`. */
export function deviceManager(options: DeviceManagerOptions): DeviceManager {
  const { cache, clock, keep } = options;
  return {
    claim: (namespace, name) => cache.claim(namespace, name),
    claimsIn: (namespace) => cache.claimsIn(namespace),
    deviceClass: (name) => cache.deviceClass(name),
    classForResource: (resource) => cache.classForResource(resource),
    slices: () => cache.slices(),
    allocated: () => cache.allocated(),
    isPending: (claim) => cache.isPending(claim),
    now: () => clock.now(),
    assume: (claim) => cache.assume(claim),
    forget: (claim) => cache.forget(claim),
    reserve: async (claim, use, signal) => {
      try {
        const written = await writeUse(claim, use, options, signal);
        cache.enter(written);
        return written;
      } finally {
        if (use.allocation !== undefined) cache.forget(claim);
      }
    },
    untilReady: async (claims, { pod, nodeName, timeoutMs }, signal) => {
      const message = `waiting for binding conditions for device on node ${nodeName}`;
      options.record(pod, 'BindingConditionsPending', message);
      await untilReady(claims, timeoutMs, options, signal);
    },
    create: (claim, signal) =>
      options.client
        .resource(ResourceClaim)
        .namespace(claim.metadata.namespace ?? '')
        .create(claim, { signal }),
    recordExtended: async ({ namespace, name, uid }, status, signal) => {
      const body = { metadata: { uid }, status: { extendedResourceClaimStatus: status } };
      const pods = options.client.resource(Pod).namespace(namespace);
      await pods.status.patch(name, { type: 'strategic', body }, { signal });
    },
    discard: (claim) => keep(() => discard(claim, options)),
    release: (claim, pod) => keep(() => release(claim, pod, options)),
    deallocate: (claim) => keep(() => deallocate(claim, options)),
  };
}

/** After a conflict the claim is read again: others may have reserved it, too. */
async function writeUse(
  claim: ResourceClaim,
  { pod, allocation }: ClaimUse,
  { client, clock, random }: DeviceManagerOptions,
  signal: AbortSignal,
): Promise<ResourceClaim> {
  const { namespace = '', name = '', uid } = claim.metadata;
  const claims = client.resource(ResourceClaim).namespace(namespace);
  let current: ResourceClaim | undefined = claim;
  return retryOnConflict(
    async () => {
      let latest = current ?? (await claims.get(name, { signal }));
      current = undefined;
      const lost = (what: string) => new Error(`claim ${namespace}/${name} got ${what} in the meantime`);
      if (latest.metadata.deletionTimestamp !== undefined || latest.metadata.uid !== uid) throw lost('deleted');
      const isAllocated = latest.status?.allocation !== undefined;
      if (isAllocated && allocation !== undefined) throw lost('allocated elsewhere');
      if (!isAllocated && allocation === undefined) throw lost('deallocated elsewhere');
      const { finalizers = [] } = latest.metadata;
      if (allocation !== undefined && !finalizers.includes(FINALIZER)) {
        const metadata = { ...latest.metadata, finalizers: [...finalizers, FINALIZER] };
        latest = await claims.update({ ...latest, metadata }, { signal });
      }
      const { status = {} } = latest;
      const consumer = { resource: 'pods', name: pod.name, uid: pod.uid };
      const used: ResourceClaimStatus = {
        ...status,
        allocation: { allocationTimestamp: formatTime(clock.now()), ...(allocation ?? status.allocation) },
        reservedFor: [...(status.reservedFor ?? []), consumer],
      };
      return claims.status.update({ ...latest, status: used }, { signal });
    },
    { signal, clock, random },
  );
}

async function untilReady(
  claims: readonly ResourceClaim[],
  timeoutMs: number,
  { cache, clock, changes }: DeviceManagerOptions,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.monotonic() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const current = claims.map(({ metadata: { namespace = '', name = '' } }) => {
      const found = cache.claim(namespace, name);
      if (found === undefined) throw new Error(`could not find ResourceClaim "${namespace}/${name}"`);
      return found;
    });
    const states = current.map((claim) => readinessOf(claim, clock.now(), timeoutMs));
    for (const state of states) if (typeof state !== 'string') throw new Error(state.problem);
    if (states.every((state) => state === 'ready')) return;
    const left = end - clock.monotonic();
    if (left <= 0) throw new Error('device binding timeout: context deadline exceeded');
    await changes.next(claims.map(resourceClaimKey), left, signal);
  }
}

async function release(claim: ResourceClaim, pod: PodFacts, { client }: DeviceManagerOptions): Promise<void> {
  const { namespace = '', name = '', uid } = claim.metadata;
  const body = { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: pod.uid }] } };
  const claims = client.resource(ResourceClaim).namespace(namespace);
  await unlessOutdated(() => claims.status.patch(name, { type: 'strategic', body }));
}

async function deallocate(claim: ResourceClaim, { client }: DeviceManagerOptions): Promise<void> {
  const claims = client.resource(ResourceClaim).namespace(claim.metadata.namespace ?? '');
  await unlessOutdated(() => claims.status.update({ ...claim, status: {} }));
}

/** Deletes a claim, after its finalizer. Upstream: `deleteClaim`. */
async function discard(
  { metadata: { namespace = '', name = '', uid = '' } }: ResourceClaim,
  { client, clock, random }: DeviceManagerOptions,
): Promise<void> {
  const claims = client.resource(ResourceClaim);
  await unlessOutdated(async () => {
    const latest = await claims.namespace(namespace).get(name);
    if (latest.metadata.uid !== uid) return;
    await removeFinalizer(claims, latest, FINALIZER, { clock, random });
    await claims.namespace(namespace).delete(name, { preconditions: { uid } });
  });
}

/** A claim that others have changed or deleted brings the pod back to the queue. */
async function unlessOutdated(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
