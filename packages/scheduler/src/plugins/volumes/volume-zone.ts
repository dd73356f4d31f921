import { PersistentVolume } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { classNameOf, waitsForConsumer } from '@binnacle/controllers/volumes';
import { deepEqual } from '@binnacle/apimachinery/json';
import {
  type Attempt,
  type ClusterEvent,
  type NodeState,
  type Plugin,
  type PreFilterResult,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
} from '../../framework/index.js';
import { isOf } from '../objects.js';
import { namesClaim, notFound, persistentClaimNames } from './pod-claims.js';

/** Permits nodes in the zone and region that the labels of the pod's volumes name. */
export const volumeZone: Plugin = {
  name: 'VolumeZone',
  interests: [
    {
      resource: 'StorageClass',
      actions: ['Add'],
      isWorthTrying: (_, { after }) => isOf(StorageClass, after) && waitsForConsumer(after),
    },
    { resource: 'Node', actions: ['Add', 'Update'] },
    { resource: 'PersistentVolumeClaim', actions: ['Add', 'Update'], isWorthTrying: namesClaim },
    { resource: 'PersistentVolume', actions: ['Add', 'Update'], isWorthTrying: (_, event) => changesZones(event) },
  ],
  preFilter,
  filter,
};

/** The label of a volume, and the values of a node that it permits. */
interface Zones {
  readonly label: string;
  readonly values: readonly string[];
}

/** The present name of each label. */
const LABELS = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
]);

const zonesOfPod = new StateKey<readonly Zones[]>();

function preFilter(attempt: Attempt): PreFilterResult {
  const zones: Zones[] = [];
  for (const name of persistentClaimNames(attempt.pod.spec)) {
    const ofClaim = zonesOfClaim(attempt, name);
    if (typeof ofClaim === 'string') return { status: unresolvable(ofClaim) };
    zones.push(...ofClaim);
  }
  if (zones.length === 0) return { status: skip };
  attempt.state.write(zonesOfPod, zones);
  return { status: success };
}

/** The zones of the claim's volume, none while the claim waits for a node, or why no node can be found. */
function zonesOfClaim({ pod, snapshot: { storage } }: Attempt, name: string): readonly Zones[] | string {
  if (name === '') return 'PersistentVolumeClaim had no name';
  const claim = storage.claim(pod.namespace, name);
  if (claim === undefined) return notFound('persistentvolumeclaim', name);
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName !== '') {
    const volume = storage.volume(volumeName);
    return volume === undefined ? notFound('persistentvolume', volumeName) : zonesOfVolume(volume);
  }
  const className = classNameOf(claim) ?? '';
  if (className === '') return 'PersistentVolumeClaim had no pv name and storageClass name';
  const storageClass = storage.storageClass(className);
  if (storageClass === undefined) return notFound('storageclass.storage.k8s.io', className);
  return waitsForConsumer(storageClass) ? [] : 'PersistentVolume had no name';
}

/** A value may name several zones. A value with an empty zone is wrong, and does not count. */
function zonesOfVolume({ metadata: { labels = {} } }: PersistentVolume): Zones[] {
  return [...LABELS.keys()].flatMap((label) => {
    const values = Object.hasOwn(labels, label) ? labels[label]?.split('__').map((zone) => zone.trim()) : undefined;
    return values === undefined || values.includes('') ? [] : [{ label, values }];
  });
}

/** A node without any of the labels is in a cluster of one zone. */
function filter({ state }: Attempt, { labels }: NodeState): Status {
  if (![...LABELS.keys()].some((label) => Object.hasOwn(labels, label))) return success;
  for (const { label, values } of state.read(zonesOfPod) ?? []) {
    const value = labels[label] ?? labels[LABELS.get(label) ?? label];
    if (value === undefined || !values.includes(value)) return unresolvable('node(s) had no available volume zone');
  }
  return success;
}

function changesZones({ before, after }: ClusterEvent): boolean {
  if (!isOf(PersistentVolume, before) || !isOf(PersistentVolume, after)) return true;
  return !deepEqual(asPlain(zonesOfVolume(before)), asPlain(zonesOfVolume(after)));
}

function asPlain(zones: readonly Zones[]) {
  return zones.map(({ label, values }) => [label, ...values]);
}
