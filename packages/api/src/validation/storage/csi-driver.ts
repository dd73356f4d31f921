import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, validateImmutable } from '@binnacle/apimachinery/validation';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from '../../generated/types/storage-v1.js';
import { each, finalizerDomains, list, optionalOneOf } from '../common.js';

// Upstream: `ValidateCSIDriver`.

const FS_GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLE_MODES = ['Persistent', 'Ephemeral'];
const UPDATE_PERIOD_MINIMUM = 10;
const TOKEN_SECONDS_MINIMUM = 600;
const TOKEN_SECONDS_MAXIMUM = 2 ** 32;

export function validateCSIDriver(object: CSIDriver): FieldError[] {
  const spec: CSIDriverSpec = object.spec ?? {};
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  return [
    // The field is attachRequired; upstream reports this path.
    ...given(spec.attachRequired, 'spec.attachedRequired'),
    ...given(spec.podInfoOnMount, 'spec.podInfoOnMount'),
    ...given(spec.storageCapacity, 'spec.storageCapacity'),
    ...optionalOneOf(spec.fsGroupPolicy, FS_GROUP_POLICIES, 'spec.fsGroupPolicy'),
    ...tokenRequests(spec.tokenRequests, 'spec.tokenRequests'),
    ...errorsOfEach(spec.volumeLifecycleModes, (mode) =>
      LIFECYCLE_MODES.includes(mode) ? [] : [notSupported('spec.volumeLifecycleModes', mode, LIFECYCLE_MODES)],
    ),
    ...given(spec.seLinuxMount, 'spec.seLinuxMount'),
    ...(period !== undefined && period < UPDATE_PERIOD_MINIMUM
      ? [
          invalidValue(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            `must be greater than or equal to ${UPDATE_PERIOD_MINIMUM} seconds`,
          ),
        ]
      : []),
    ...(inSecrets !== undefined && list(spec.tokenRequests).length === 0
      ? [
          invalidValue(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

function given(value: boolean | undefined, field: string): FieldError[] {
  return value === undefined ? [required(field, '')] : [];
}

function tokenRequests(requests: readonly TokenRequest[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return each(requests, field, (request, path) => {
    const audience = request.audience ?? '';
    if (seen.has(audience)) return [duplicate(`${path}.audience`, audience)];
    seen.add(audience);
    const seconds = request.expirationSeconds;
    if (seconds === undefined) return [];
    const problem = (detail: string): FieldError[] => [invalidValue(`${path}.expirationSeconds`, seconds, detail)];
    if (seconds < TOKEN_SECONDS_MINIMUM) return problem('may not specify a duration less than 10 minutes');
    if (seconds > TOKEN_SECONDS_MAXIMUM) return problem('may not specify a duration larger than 2^32 seconds');
    return [];
  });
}

export function validateCSIDriverUpdate(object: CSIDriver, old: CSIDriver): FieldError[] {
  const { attachRequired, volumeLifecycleModes } = object.spec ?? {};
  return [
    ...finalizerDomains(object),
    ...validateCSIDriver(object),
    ...validateImmutable(attachRequired, old.spec?.attachRequired, 'spec.attachedRequired'),
    ...validateImmutable(volumeLifecycleModes, old.spec?.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ];
}
