import type { JsonValue } from '@binnacle/apimachinery/json';
import type { PersistentVolume, PersistentVolumeClaim } from '../generated/types/core-v1.js';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../generated/types/storage-v1.js';
import { ageColumn, boolean, integer, nameColumn, named, text, wide } from './column.js';
import { ageOf, type Named, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const group = 'storage.k8s.io';
const accessModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];
const volumeModeColumn = wide(text('VolumeMode', 'Whether it is a file system or a block device.'));
const attributesClassColumn = text('VolumeAttributesClass', 'Class of its changeable attributes.');
const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

function shortAccessModes(modes: readonly string[] | undefined): string {
  return accessModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The deprecated annotation takes precedence over the field. */
function storageClassOf(object: Named, name: string | undefined): string {
  return object.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? name ?? '';
}

function printPersistentVolume(volume: PersistentVolume, context: PrintContext): JsonValue[] {
  const { spec, status } = volume;
  return [
    nameOf(volume),
    spec?.capacity?.['storage'] ?? '0',
    shortAccessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    volume.metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    storageClassOf(volume, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? '<unset>',
    status?.reason ?? '',
    ageOf(volume, context),
    spec?.volumeMode ?? '<unset>',
  ];
}

function printPersistentVolumeClaim(claim: PersistentVolumeClaim, context: PrintContext): JsonValue[] {
  const { spec, status } = claim;
  const bound = Boolean(spec?.volumeName);
  return [
    nameOf(claim),
    claim.metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec?.volumeName ?? '',
    bound ? (status?.capacity?.['storage'] ?? '0') : '',
    bound ? shortAccessModes(status?.accessModes) : '',
    storageClassOf(claim, spec?.storageClassName),
    spec?.volumeAttributesClassName ?? '<unset>',
    ageOf(claim, context),
    spec?.volumeMode ?? '<unset>',
  ];
}

function printStorageClass(object: StorageClass, context: PrintContext): JsonValue[] {
  const annotations = object.metadata?.annotations ?? {};
  const isDefault = defaultClassAnnotations.some((annotation) => annotations[annotation] === 'true');
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    object.provisioner ?? '',
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    ageOf(object, context),
  ];
}

function printCSIDriver(driver: CSIDriver, context: PrintContext): JsonValue[] {
  const { spec } = driver;
  return [
    nameOf(driver),
    spec?.attachRequired ?? true,
    spec?.podInfoOnMount ?? false,
    spec?.storageCapacity ?? false,
    spec?.tokenRequests?.map((request) => request.audience ?? '').join(',') ?? '<unset>',
    spec?.requiresRepublish ?? false,
    (spec?.volumeLifecycleModes ?? []).join(',') || '<none>',
    ageOf(driver, context),
  ];
}

function printVolumeAttachment(attachment: VolumeAttachment, context: PrintContext): JsonValue[] {
  const { spec, status } = attachment;
  return [
    nameOf(attachment),
    spec?.attacher ?? '',
    spec?.source?.persistentVolumeName ?? '',
    spec?.nodeName ?? '',
    status?.attached ?? false,
    ageOf(attachment, context),
  ];
}

export const storagePrinters: readonly PrinterEntry[] = [
  printer(
    '/PersistentVolume',
    [
      nameColumn,
      text('Capacity', 'How much it holds.'),
      text('Access Modes', 'How it may be mounted.'),
      text('Reclaim Policy', 'What becomes of it when it is released.'),
      text('Status', 'Whether it is free, bound or released.'),
      text('Claim', 'Claim that it is bound to.'),
      text('StorageClass', 'Class that it belongs to.'),
      attributesClassColumn,
      text('Reason', 'Why it failed.'),
      ageColumn,
      volumeModeColumn,
    ],
    printPersistentVolume,
  ),
  printer(
    '/PersistentVolumeClaim',
    [
      nameColumn,
      text('Status', 'Whether it is bound.'),
      text('Volume', 'Volume that it is bound to.'),
      text('Capacity', 'How much the volume holds.'),
      text('Access Modes', 'How the volume may be mounted.'),
      text('StorageClass', 'Class that it asks for.'),
      attributesClassColumn,
      ageColumn,
      volumeModeColumn,
    ],
    printPersistentVolumeClaim,
  ),
  printer(
    `${group}/StorageClass`,
    [
      nameColumn,
      text('Provisioner', 'Who makes its volumes.'),
      text('ReclaimPolicy', 'What becomes of a volume when it is released.'),
      text('VolumeBindingMode', 'When a claim is bound.'),
      text('AllowVolumeExpansion', 'Whether volumes can grow.'),
      ageColumn,
    ],
    printStorageClass,
  ),
  printer(
    `${group}/VolumeAttributesClass`,
    [nameColumn, text('DriverName', 'Driver that it is for.'), ageColumn],
    (object: VolumeAttributesClass, context) => [nameOf(object), object.driverName ?? '', ageOf(object, context)],
  ),
  printer(
    `${group}/VolumeAttachment`,
    [
      nameColumn,
      named(text('Attacher', 'Driver that attaches it.')),
      text('PV', 'Volume to attach.'),
      text('Node', 'Node to attach it to.'),
      boolean('Attached', 'Whether it is attached.'),
      ageColumn,
    ],
    printVolumeAttachment,
  ),
  printer(
    `${group}/CSINode`,
    [nameColumn, integer('Drivers', 'How many drivers the node has.'), ageColumn],
    (node: CSINode, context) => [nameOf(node), (node.spec?.drivers ?? []).length, ageOf(node, context)],
  ),
  printer(
    `${group}/CSIDriver`,
    [
      nameColumn,
      boolean('AttachRequired', 'Whether volumes must be attached before they are mounted.'),
      boolean('PodInfoOnMount', 'Whether it gets information about the pod when it mounts a volume.'),
      boolean('StorageCapacity', 'Whether it publishes how much room it has.'),
      text('TokenRequests', 'Audiences of the tokens that it asks for.'),
      boolean('RequiresRepublish', 'Whether volumes are published again from time to time.'),
      text('Modes', 'Kinds of volumes that it makes.'),
      ageColumn,
    ],
    printCSIDriver,
  ),
  printer(
    `${group}/CSIStorageCapacity`,
    [nameColumn, text('StorageClassName', 'Class that it is about.'), text('Capacity', 'How much room there is.')],
    (object: CSIStorageCapacity) => [nameOf(object), object.storageClassName ?? '', object.capacity ?? '<unset>'],
  ),
];
