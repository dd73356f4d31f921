import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '@binnacle/api/types/resource-v1';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { fullNameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { loadAdmissionRules, loadedAdmissionRules } from './admission-rules.js';
import { gatedFields } from './gated-fields.js';
import { kind, type PlainStrategy, spec } from './kind.js';
import { statusStrategy } from './status.js';

// Upstream: `pkg/registry/resource`.

const plain: PlainStrategy = { ready: loadAdmissionRules, returnsDeletedObject: true };

export const deviceClassStrategy: Strategy = kind<DeviceClass>(
  {
    desired: spec,
    validate: (object) => loadedAdmissionRules().validateDeviceClass(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateDeviceClassUpdate(object, old),
  },
  { ...plain, validateName: fullNameIsDnsSubdomain },
);

export const resourceClaimStrategy: Strategy = kind<ResourceClaim>(
  {
    status: true,
    validate: (object) => loadedAdmissionRules().validateResourceClaim(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateResourceClaimUpdate(object, old),
  },
  plain,
);

export const resourceClaimStatusStrategy: Strategy = {
  ...statusStrategy<ResourceClaim>({
    keeps: 'metadata',
    prepare: dropDeallocated,
    validateUpdate: (object, old) => loadedAdmissionRules().validateResourceClaimStatusUpdate(object, old),
  }),
  ready: loadAdmissionRules,
};

/** Drops the status of devices that the claim no longer has. */
function dropDeallocated(claim: ResourceClaim, old: Readonly<ResourceClaim>): void {
  const { allocatedDeviceKey } = loadedAdmissionRules();
  const keys = ({ status }: Readonly<ResourceClaim>): string[] =>
    (status?.allocation?.devices?.results ?? []).map(allocatedDeviceKey);
  const given = claim.status?.devices;
  if (claim.status === undefined || given === undefined) return;
  const still = new Set(keys(claim));
  const gone = new Set(keys(old).filter((key) => !still.has(key)));
  const devices = given.filter((device) => !gone.has(allocatedDeviceKey(device)));
  if (devices.length > 0) claim.status.devices = devices;
  else delete claim.status.devices;
}

export const resourceClaimTemplateStrategy: Strategy = kind<ResourceClaimTemplate>(
  {
    validate: (object) => loadedAdmissionRules().validateResourceClaimTemplate(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateResourceClaimTemplateUpdate(object, old),
  },
  plain,
);

export const resourceSliceStrategy: Strategy = kind<ResourceSlice>(
  {
    desired: spec,
    gated: [
      gatedFields('DRANodeAllocatableResources', ['spec.devices.*.nodeAllocatableResourceMappings']),
      gatedFields(
        'DRAListTypeAttributes',
        ['ints', 'bools', 'strings', 'versions'].map((list) => `spec.devices.*.attributes.*.${list}`),
      ),
    ],
    validate: (object) => loadedAdmissionRules().validateResourceSlice(object),
    validateUpdate: (object, old) => loadedAdmissionRules().validateResourceSliceUpdate(object, old),
    warnings(slice) {
      const driver = slice.spec?.driver ?? '';
      if (driver === driver.toLowerCase()) return [];
      return [`spec.driver: driver names should be lowercase; "${driver}" contains uppercase characters`];
    },
    selectable: (slice) => ({ 'spec.nodeName': slice.spec?.nodeName ?? '', 'spec.driver': slice.spec?.driver ?? '' }),
  },
  {
    ...plain,
    unsupportedFieldLabel: (label, version) =>
      `field label not supported for ${formatGroupVersion(version)}, Kind=${version.kind}: ${label}`,
  },
);
