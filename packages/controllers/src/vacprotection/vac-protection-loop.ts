import { Controller } from '@binnacle/client/controller';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { VolumeAttributesClass } from '@binnacle/client/kinds/storage/v1';
import { type OwnerContext, planProtection, protect, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { classNamesOfClaim, classNamesOfVolume } from './class-names.js';

const FINALIZER = 'kubernetes.io/vac-protection';
const BY_CLASS = 'volumeattributesclass';

const requests = (names: readonly string[]) => names.map((name) => ({ namespace: undefined, name }));

export const createVacProtectionLoop: CreateLoop = (context) =>
  new Controller({
    name: 'vacprotection',
    for: VolumeAttributesClass,
    predicate: ({ object }) => planProtection(object, FINALIZER) !== undefined,
    watches: [
      // A new claim or volume gives no class free. An update is mapped before and after.
      {
        resource: PersistentVolumeClaim,
        predicate: ({ type }) => type === 'update' || type === 'delete',
        map: (claim: PersistentVolumeClaim) => requests(classNamesOfClaim(claim)),
      },
      {
        resource: PersistentVolume,
        predicate: ({ type }) => type === 'update' || type === 'delete',
        map: (volume: PersistentVolume) => requests(classNamesOfVolume(volume)),
      },
    ],
    reads: [
      { resource: PersistentVolumeClaim, indexes: { [BY_CLASS]: classNamesOfClaim } },
      { resource: PersistentVolume, indexes: { [BY_CLASS]: classNamesOfVolume } },
    ],
    reconcile: reconcileOwner(
      { resource: VolumeAttributesClass, writes: [], informers: context.informers },
      (attributesClass, { writer, indexer }) =>
        protect(
          attributesClass,
          { resource: VolumeAttributesClass, finalizer: FINALIZER, isUsed: (each) => isUsed(each, indexer) },
          writer,
        ),
    ),
  }).bind(context);

function isUsed({ metadata: { name = '' } }: VolumeAttributesClass, indexer: OwnerContext['indexer']): boolean {
  return (
    indexer(PersistentVolume).byIndex(BY_CLASS, name).length > 0 ||
    indexer(PersistentVolumeClaim).byIndex(BY_CLASS, name).length > 0
  );
}
