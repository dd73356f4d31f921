import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { Volume } from '../../generated/types/core-v1.js';
import { each, requireDnsLabel } from '../common.js';
import type { VolumesByName } from './mounts.js';
import { volumeSourceRules } from './volume-sources.js';

/** Upstream: `ValidateVolumes`. Also returns the valid volumes, the only ones that containers may mount. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  podName: string | undefined,
  field: string,
  isPod: boolean,
): { errors: FieldError[]; byName: VolumesByName } {
  const byName = new Map<string, Volume>();
  const created = new Set<string>();
  for (const volume of volumes ?? []) {
    if (podName && volume.ephemeral !== undefined) created.add(`${podName}-${volume.name}`);
  }
  const errors = each(volumes, field, (volume, path) => {
    const problems = [
      ...validateVolumeSource(volume, podName, path, isPod),
      ...requireDnsLabel(volume.name, `${path}.name`),
      ...(byName.has(volume.name) ? [duplicate(`${path}.name`, volume.name)] : []),
    ];
    if (problems.length === 0) byName.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      problems.push(invalidValue(`${path}.persistentVolumeClaim.claimName`, claim, detail));
    }
    return problems;
  });
  return { errors, byName };
}

/** Exactly one source is allowed; only the first is validated. */
function validateVolumeSource(volume: Volume, podName: string | undefined, path: string, isPod: boolean): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const { name, shownAs, rule } of volumeSourceRules) {
    if (volume[name] === undefined) continue;
    if (count > 0) {
      errors.push(forbiddenField(`${path}.${shownAs ?? name}`, 'may not specify more than 1 volume type'));
    } else {
      errors.push(...rule(volume, path, isPod));
      if (name === 'ephemeral') errors.push(...ephemeralName(volume, podName, path));
    }
    count += 1;
  }
  if (count === 0) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function ephemeralName(volume: Volume, podName: string | undefined, path: string): FieldError[] {
  if (!podName || !volume.name) return [];
  const claim = `${podName}-${volume.name}`;
  const messages = nameIsDnsSubdomain(claim, false).map((message) => `PVC name "${claim}": ${message}`);
  return invalidFor(`${path}.name`, volume.name, messages);
}
