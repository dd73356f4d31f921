import type {
  Device,
  DeviceClass,
  DeviceClassSpec,
  DeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceSlice,
  ResourceSliceSpec,
} from '@binnacle/client/kinds/resource/v1';

export const DRIVER = 'dra.example.com';

/** A slice that is the whole pool of a node. */
export function sliceObject(
  node: string,
  devices: readonly (string | Device)[],
  spec: Partial<ResourceSliceSpec> = {},
  name = node,
): ResourceSlice {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: {
      driver: DRIVER,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      ...(node !== '' && { nodeName: node }),
      devices: devices.map((device) => (typeof device === 'string' ? { name: device } : device)),
      ...spec,
    },
  };
}

export function deviceClassObject(name: string, spec: DeviceClassSpec = {}): DeviceClass {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name }, spec };
}

/** A request for one device of the class `gpu`. */
export function deviceRequest(name: string, exactly: Partial<DeviceRequest['exactly']> = {}): DeviceRequest {
  return { name, exactly: { deviceClassName: 'gpu', ...exactly } };
}

export function resourceClaim(
  name: string,
  devices: ResourceClaimSpec['devices'] = { requests: [deviceRequest('r')] },
  status?: ResourceClaim['status'],
): ResourceClaim {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { namespace: 'default', name, uid: name },
    spec: { devices },
    ...(status && { status }),
  };
}

/** A cluster without resource claims. */
export const noDevices = { claim: () => undefined };
