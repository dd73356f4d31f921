import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/api/types/core-v1';
import {
  validatePersistentVolume,
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimUpdate,
  validatePersistentVolumeUpdate,
} from '@binnacle/api/validation';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Strategy } from '../registry/index.js';
import { kind, restore } from './kind.js';
import { statusStrategy } from './status.js';
import { claimWarnings, volumeWarnings } from './warnings/volume-warnings.js';

// Upstream: `pkg/registry/core/persistentvolume`, `pkg/registry/core/persistentvolumeclaim`.

const SNAPSHOTS = 'snapshot.storage.k8s.io';

export const persistentVolumeClaimStrategy: Strategy = kind<PersistentVolumeClaim>(
  {
    prepareForCreate(claim) {
      claim.status = { phase: 'Pending' };
      dropForeignSource(claim);
      dropUnknownSource(claim);
      copyDataSource(claim);
    },
    prepareForUpdate(claim, old) {
      restore(claim, old, 'status');
      if (old.spec?.dataSourceRef === undefined) dropForeignSource(claim);
      if (old.spec?.dataSource === undefined && old.spec?.dataSourceRef === undefined) dropUnknownSource(claim);
      copyDataSource(claim);
    },
    validate: validatePersistentVolumeClaim,
    validateUpdate: validatePersistentVolumeClaimUpdate,
    warnings: claimWarnings,
  },
  { returnsDeletedObject: true },
);

/** A source in another namespace needs CrossNamespaceVolumeDataSource, which is off by default. */
function dropForeignSource({ spec }: PersistentVolumeClaim): void {
  if (spec?.dataSourceRef?.namespace) delete spec.dataSourceRef;
}

/**
 * A dataSource without dataSourceRef must be a claim or a snapshot; like upstream, any other is dropped silently.
 * Upstream: `EnforceDataSourceBackwardsCompatibility`.
 */
function dropUnknownSource({ spec }: PersistentVolumeClaim): void {
  if (spec?.dataSource === undefined || spec.dataSourceRef !== undefined) return;
  const { apiGroup = '', kind: sourceKind } = spec.dataSource;
  const isClaim = apiGroup === '' && sourceKind === 'PersistentVolumeClaim';
  const isSnapshot = apiGroup === SNAPSHOTS && sourceKind === 'VolumeSnapshot';
  if (!isClaim && !isSnapshot) delete spec.dataSource;
}

/** Makes dataSource and dataSourceRef equal, unless the source is in another namespace. */
function copyDataSource(claim: PersistentVolumeClaim): void {
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  if (claim.spec === undefined || dataSourceRef?.namespace) return;
  if (dataSource !== undefined && dataSourceRef === undefined) claim.spec.dataSourceRef = { ...dataSource };
  if (dataSource === undefined && dataSourceRef !== undefined) {
    const { namespace: _, ...local } = dataSourceRef;
    claim.spec.dataSource = local;
  }
}

export const persistentVolumeStrategy: Strategy = kind<PersistentVolume>(
  {
    prepareForCreate(volume, { now }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
    },
    prepareForUpdate: (volume, old) => restore(volume, old, 'status'),
    validate: validatePersistentVolume,
    validateUpdate: validatePersistentVolumeUpdate,
    warnings: volumeWarnings,
  },
  { returnsDeletedObject: true },
);

export const persistentVolumeStatusStrategy: Strategy = statusStrategy<PersistentVolume>({
  prepare(volume, old, now) {
    const { phase, lastPhaseTransitionTime: given } = volume.status ?? {};
    const last = old.status?.lastPhaseTransitionTime;
    const isChanged = phase !== old.status?.phase;
    if (given !== undefined && !(isChanged && given === last)) return;
    const time = isChanged ? formatTime(now) : last;
    if (time !== undefined) volume.status = { ...volume.status, lastPhaseTransitionTime: time };
  },
});
