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

import { allocatedDevices } from '../devices/index.js';

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

/** What a test knows of devices. */
export interface DeviceTraits {
  readonly claims?: readonly ResourceClaim[];
  readonly classes?: readonly DeviceClass[];
  readonly slices?: readonly ResourceSlice[];
}

/** A device manager that writes nothing. It lists the changes that are asked for in `asked`. */
export function devicesOf(traits: DeviceTraits = {}, asked: string[] = []) {
  const { claims = [], classes = [deviceClassObject('gpu')], slices = [] } = traits;
  const pending = new Map<string, ResourceClaim>();
  const nameOf = ({ metadata: { name = '' } }: ResourceClaim) => name;
  return {
    claim: (namespace: string, name: string) =>
      claims.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    claimsIn: (namespace: string) => claims.filter(({ metadata }) => metadata.namespace === namespace),
    classForResource: (resource: string) => classes.find(({ spec }) => spec.extendedResourceName === resource),
    deviceClass: (name: string) => classes.find(({ metadata }) => metadata.name === name),
    slices: () => slices,
    allocated: () => allocatedDevices([...claims, ...pending.values()]),
    isPending: (claim: ResourceClaim) => pending.has(nameOf(claim)),
    now: () => 0,
    assume: (claim: ResourceClaim) => void pending.set(nameOf(claim), claim),
    forget: (claim: ResourceClaim) => void pending.delete(nameOf(claim)),
    reserve: (claim: ResourceClaim): Promise<ResourceClaim> => {
      asked.push(`reserve ${nameOf(claim)}`);
      return Promise.resolve(claim);
    },
    create: (claim: ResourceClaim): Promise<ResourceClaim> => {
      const name = `${claim.metadata.generateName}1`;
      asked.push(`create ${name}`);
      return Promise.resolve({ ...claim, metadata: { ...claim.metadata, name, uid: name } });
    },
    recordExtended: (_: unknown, { resourceClaimName }: { readonly resourceClaimName: string }): Promise<void> => {
      asked.push(`record ${resourceClaimName}`);
      return Promise.resolve();
    },
    discard: (claim: ResourceClaim) => void asked.push(`discard ${nameOf(claim)}`),
    untilReady: (): Promise<void> => Promise.resolve(),
    release: (claim: ResourceClaim) => void asked.push(`release ${nameOf(claim)}`),
    deallocate: (claim: ResourceClaim) => void asked.push(`deallocate ${nameOf(claim)}`),
  };
}

/** A cluster without devices. */
export const noDevices = devicesOf();
