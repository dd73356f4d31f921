import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  inclusiveRangeMessage,
  invalidFor,
  nameIsDnsSubdomain,
  utf8Length,
  validateImmutable,
} from '@binnacle/apimachinery/validation';
import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from '../../generated/types/storage-v1.js';
import { typeNamed } from '../../table/index.js';
import { wholeMetadata } from '../common.js';
import { validateInlineVolume } from './persistent-volume.js';
import { validateDriverName } from '../volumes/volume-drivers.js';

// Upstream: `ValidateVolumeAttachment`.

const METADATA_MAXIMUM = 256 * 1024;
const MESSAGE_MAXIMUM = 1024;
const INT32_MAXIMUM = 2 ** 31 - 1;

export function validateVolumeAttachment(object: VolumeAttachment): FieldError[] {
  const { attacher, nodeName = '', source = {} } = (object.spec ?? {}) as Partial<VolumeAttachment['spec']>;
  const { attachmentMetadata, attachError, detachError } = object.status ?? {};
  const volume = source.persistentVolumeName;
  const size = Object.entries(attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + utf8Length(key) + utf8Length(value),
    0,
  );
  return [
    ...validateDriverName(attacher, 'spec.attacher'),
    ...oneVolume(source, 'spec.source'),
    ...invalidFor('spec.nodeName', nodeName, nameIsDnsSubdomain(nodeName, false)),
    ...(size > METADATA_MAXIMUM ? [tooLong('status.attachmentMetadata', METADATA_MAXIMUM)] : []),
    ...volumeError(attachError, 'status.attachError'),
    ...volumeError(detachError, 'status.detachError'),
    ...(volume === undefined
      ? []
      : invalidFor('spec.source.persistentVolumeName', volume, nameIsDnsSubdomain(volume, false))),
  ];
}

function oneVolume(source: VolumeAttachmentSource, field: string): FieldError[] {
  const { inlineVolumeSpec, persistentVolumeName } = source;
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inlineVolumeSpec !== undefined) {
    if (persistentVolumeName !== undefined) return [forbiddenField(field, detail)];
    return validateInlineVolume(inlineVolumeSpec, `${field}.inlineVolumeSpec`);
  }
  if (persistentVolumeName === undefined) return [required(field, detail)];
  if (persistentVolumeName !== '') return [];
  return [required(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
}

function volumeError(error: VolumeError | undefined, field: string): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {};
  return [
    // Upstream's message names a different maximum than the one it checks.
    ...(utf8Length(message) > MESSAGE_MAXIMUM ? [tooLong(`${field}.message`, METADATA_MAXIMUM)] : []),
    ...(errorCode < 0 ? [invalidValue(`${field}.errorCode`, errorCode, inclusiveRangeMessage(0, INT32_MAXIMUM))] : []),
  ];
}

/** Also runs on status updates. */
export function validateVolumeAttachmentUpdate(object: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  return [
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...validateVolumeAttachment(object),
    ...validateImmutable(object.spec, old.spec, 'spec', typeNamed('io.k8s.api.storage.v1.VolumeAttachmentSpec')),
  ];
}
