import { type FieldError, forbiddenField, invalidValue, notFoundField, required } from '@binnacle/apimachinery/status';
import type { Container, Volume, VolumeDevice, VolumeMount } from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf } from '../common.js';
import { descendingPath, noBacksteps } from '../file-paths.js';

/** The valid volumes of the pod by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

type Mounting = Pick<Container, 'volumeMounts' | 'volumeDevices' | 'securityContext'>;

/** Upstream: `ValidateVolumeMounts`. Some paths lack their index, like upstream. */
export function validateVolumeMounts(container: Mounting, volumes: VolumesByName, field: string): FieldError[] {
  const devices = list(container.volumeDevices);
  const seen = new Set<string>();
  return each(container.volumeMounts, field, (mount, path) => {
    const errors: FieldError[] = [];
    if (!mount.name) errors.push(required(`${path}.name`, ''));
    if (!volumes.has(mount.name)) errors.push(notFoundField(`${path}.name`, mount.name ?? ''));
    if (!mount.mountPath) errors.push(required(`${path}.mountPath`, ''));
    if (seen.has(mount.mountPath)) errors.push(invalidValue(`${path}.mountPath`, mount.mountPath, 'must be unique'));
    seen.add(mount.mountPath);
    if (devices.some(({ name }) => name === mount.name)) {
      errors.push(invalidValue(`${path}.name`, mount.name, 'must not already exist in volumeDevices'));
    }
    if (devices.some(({ devicePath }) => devicePath === mount.mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices';
      errors.push(invalidValue(`${path}.mountPath`, mount.mountPath, detail));
    }
    errors.push(...validateSubPaths(mount, path, field));
    errors.push(...validatePropagation(mount, container.securityContext?.privileged === true, field));
    errors.push(...validateRecursiveReadOnly(mount, `${field}.recursiveReadOnly`));
    return errors;
  });
}

function validateSubPaths(mount: VolumeMount, path: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mount.subPath) errors.push(...descendingPath(mount.subPath, `${field}.subPath`));
  if (mount.subPathExpr) {
    if (mount.subPath) {
      const detail = 'subPathExpr and subPath are mutually exclusive';
      errors.push(invalidValue(`${path}.subPathExpr`, mount.subPathExpr, detail));
    }
    errors.push(...descendingPath(mount.subPathExpr, `${field}.subPathExpr`));
  }
  return errors;
}

function validatePropagation(mount: VolumeMount, privileged: boolean, field: string): FieldError[] {
  const path = `${field}.mountPropagation`;
  const errors = optionalOneOf(mount.mountPropagation, ['Bidirectional', 'HostToContainer', 'None'], path);
  if (mount.mountPropagation === 'Bidirectional' && !privileged) {
    errors.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  return errors;
}

function validateRecursiveReadOnly(mount: VolumeMount, field: string): FieldError[] {
  if (mount.recursiveReadOnly === undefined || mount.recursiveReadOnly === 'Disabled') return [];
  if (mount.recursiveReadOnly !== 'Enabled' && mount.recursiveReadOnly !== 'IfPossible') {
    return optionalOneOf(mount.recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'], field);
  }
  const errors: FieldError[] = [];
  if (mount.readOnly !== true) errors.push(forbiddenField(field, 'may only be specified when readOnly is true'));
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None') {
    errors.push(forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

/** Upstream: `ValidateVolumeDevices`. */
export function validateVolumeDevices(container: Mounting, volumes: VolumesByName, field: string): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  return each(container.volumeDevices, field, (device, path) => {
    const errors = deviceErrors(device, volumes, names, paths, path);
    const mounts = list(container.volumeMounts);
    if (mounts.some(({ name }) => name === device.name)) {
      errors.push(invalidValue(`${path}.name`, device.name, 'must not already exist in volumeMounts'));
    }
    if (mounts.some(({ mountPath }) => mountPath === device.devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalidValue(`${path}.devicePath`, device.devicePath, detail));
    }
    if (device.name) names.add(device.name);
    return errors;
  });
}

function deviceErrors(
  device: VolumeDevice,
  volumes: VolumesByName,
  names: ReadonlySet<string>,
  paths: Set<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const volume = volumes.get(device.name);
  if (!device.name) errors.push(required(`${path}.name`, ''));
  if (names.has(device.name)) errors.push(invalidValue(`${path}.name`, device.name, 'must be unique'));
  if (volume === undefined) {
    errors.push(notFoundField(`${path}.name`, device.name ?? ''));
  } else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
    const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    errors.push(invalidValue(`${path}.name`, device.name, detail));
  }
  if (!device.devicePath) errors.push(required(`${path}.devicePath`, ''));
  if (paths.has(device.devicePath))
    errors.push(invalidValue(`${path}.devicePath`, device.devicePath, 'must be unique'));
  if (device.devicePath && noBacksteps(device.devicePath, '').length > 0) {
    errors.push(invalidValue(`${path}.devicePath`, device.devicePath, "can not contain backsteps ('..')"));
  } else {
    paths.add(device.devicePath);
  }
  return errors;
}
