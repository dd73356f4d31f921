import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Steps } from '@binnacle/apimachinery/work';
import { isClaimOfPod } from '@binnacle/controllers/common';
import { BIND_COMPLETED, classNameOf, hasAnnotation, waitsForConsumer } from '@binnacle/controllers/volumes';
import type { PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { CSIDriver, CSIStorageCapacity, StorageClass } from '@binnacle/client/kinds/storage/v1';
import {
  type Attempt,
  type ClusterEvent,
  failure,
  type Plugin,
  type PodFacts,
  type PreFilterResult,
  skip,
  StateKey,
  type StorageView,
  success,
  unresolvable,
} from '../../framework/index.js';
import { isOf } from '../objects.js';
import { namedClaims, namesClaim, notFound, notOwner } from './pod-claims.js';
import { limitOf, openClaims, planVolumes, type PodClaims, type VolumePlan } from './volume-plan.js';

/** Carries out the plans of {@link volumeBinding}. */
export interface VolumeBinder {
  /** From now on the storage view shows the plan as carried out. Returns the objects as they will be written. */
  assume(plan: VolumePlan, nodeName: string): VolumePlan;
  /** Undoes what `assume` did, unless it is written already. */
  revert(assumed: VolumePlan): void;
  /** Writes the objects. Resolves when all claims are bound. */
  bind(assumed: VolumePlan, place: BindingPlace, signal: AbortSignal): Promise<void>;
}

export interface BindingPlace {
  readonly pod: PodFacts;
  readonly nodeName: string;
  /** How long the volume binder and the provisioner may take. */
  readonly timeoutMs: number;
}

export interface VolumeBindingArgs {
  /** Default: 600. */
  readonly bindTimeoutSeconds?: number;
}

/** Permits nodes that reach the pod's volumes, and has claims bound that wait for a node. */
export function volumeBinding(binder: VolumeBinder, { bindTimeoutSeconds = 600 }: VolumeBindingArgs = {}): Plugin {
  const timeoutMs = bindTimeoutSeconds * 1000;
  return {
    name: 'VolumeBinding',
    interests: [
      { resource: 'StorageClass', actions: ['Add'] },
      { resource: 'StorageClass', actions: ['Update'], isWorthTrying: (_, event) => changesTopologies(event) },
      { resource: 'PersistentVolumeClaim', actions: ['Add', 'Update'], isWorthTrying: namesClaim },
      { resource: 'PersistentVolume', actions: ['Add', 'Update'] },
      { resource: 'Node', actions: ['Add', 'Update'] },
      { resource: 'CSIDriver', actions: ['Update'], isWorthTrying: (_, event) => endsCapacityChecks(event) },
      { resource: 'CSIStorageCapacity', actions: ['Add'] },
      { resource: 'CSIStorageCapacity', actions: ['Update'], isWorthTrying: (_, event) => raisesCapacity(event) },
    ],
    preFilter,
    *filter({ state }, { name, node }) {
      const known = state.read(volumes);
      if (known === undefined) return success;
      const plan = yield* planVolumes(known.claims, node);
      if (!('bindings' in plan)) return unresolvable(...plan);
      if (plan.bindings.length + plan.provisions.length > 0) known.plans.set(name, plan);
      return success;
    },
    reserve: ({ state }, nodeName) => {
      const plan = state.read(volumes)?.plans.get(nodeName);
      if (plan !== undefined) state.write(assumed, binder.assume(plan, nodeName));
      return success;
    },
    unreserve: ({ state }) => {
      const plan = state.read(assumed);
      if (plan !== undefined) binder.revert(plan);
    },
    preBind: async ({ state, pod }, nodeName, signal) => {
      const plan = state.read(assumed);
      if (plan === undefined) return success;
      try {
        await binder.bind(plan, { pod, nodeName, timeoutMs }, signal);
        return success;
      } catch (error) {
        return failure(error);
      }
    },
  };
}

interface PodVolumes {
  readonly claims: PodClaims;
  /** By the name of the node, for nodes on which something must be bound. */
  readonly plans: Map<string, VolumePlan>;
}

const volumes = new StateKey<PodVolumes>();
const assumed = new StateKey<VolumePlan>();

function* preFilter({ state, pod, snapshot: { storage } }: Attempt): Steps<PreFilterResult> {
  const claims: PersistentVolumeClaim[] = [];
  for (const { name, isEphemeral } of namedClaims(pod.pod)) {
    const claim = storage.claim(pod.namespace, name);
    const fault = faultOf(claim, { name, isEphemeral }, pod);
    if (fault !== undefined || claim === undefined) return { status: unresolvable(fault ?? '') };
    claims.push(claim);
  }
  if (claims.length === 0) return { status: skip };
  const bound = claims.filter(isBound);
  const open = claims.filter((claim) => !isBound(claim));
  if (!open.every((claim) => waitsForNode(claim, storage))) {
    return { status: unresolvable('pod has unbound immediate PersistentVolumeClaims') };
  }
  const boundVolumes = bound.map((claim) => storage.volume(claim.spec?.volumeName ?? ''));
  yield;
  const claimsOfPod = { bound: boundVolumes, open: yield* openClaims(open, storage) };
  state.write(volumes, { claims: claimsOfPod, plans: new Map() });
  return { status: success };
}

/** Why the pod cannot use the claim. Upstream: `podHasPVCs`. */
function faultOf(
  claim: PersistentVolumeClaim | undefined,
  { name, isEphemeral }: { readonly name: string; readonly isEphemeral: boolean },
  pod: PodFacts,
): string | undefined {
  const quoted = JSON.stringify(name);
  if (claim === undefined) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : notFound('persistentvolumeclaim', name);
  }
  if (claim.status?.phase === 'Lost') {
    const volume = JSON.stringify(claim.spec?.volumeName ?? '');
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim ${quoted} is being deleted`;
  return isEphemeral && !isClaimOfPod(claim, pod.pod) ? notOwner(pod, name) : undefined;
}

/** The volume binder has completed the binding. */
export function isBound(claim: PersistentVolumeClaim): boolean {
  return (claim.spec?.volumeName ?? '') !== '' && hasAnnotation(claim, BIND_COMPLETED);
}

/** A claim that names a volume is bound by the volume binder, whatever its class. */
function waitsForNode(claim: PersistentVolumeClaim, storage: StorageView): boolean {
  if ((claim.spec?.volumeName ?? '') !== '') return false;
  return waitsForConsumer(storage.storageClass(classNameOf(claim) ?? ''));
}

function changesTopologies({ before, after }: ClusterEvent): boolean {
  if (!isOf(StorageClass, before) || !isOf(StorageClass, after)) return true;
  return !deepEqual(asJson(before.allowedTopologies ?? []), asJson(after.allowedTopologies ?? []));
}

function endsCapacityChecks({ before, after }: ClusterEvent): boolean {
  if (!isOf(CSIDriver, before) || !isOf(CSIDriver, after)) return true;
  return before.spec.storageCapacity === true && after.spec.storageCapacity !== true;
}

function raisesCapacity({ before, after }: ClusterEvent): boolean {
  if (!isOf(CSIStorageCapacity, before) || !isOf(CSIStorageCapacity, after)) {
    return true;
  }
  const [was, is] = [limitOf(before), limitOf(after)];
  return is !== undefined && (was === undefined || is.compare(was) > 0);
}
