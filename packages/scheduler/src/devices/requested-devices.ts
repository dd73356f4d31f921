import type {
  CapacityRequirements,
  DeviceRequest,
  DeviceSelector,
  DeviceToleration,
} from '@binnacle/client/kinds/resource/v1';

/** A request for devices, or one alternative of it. */
export interface RequestedDevices {
  /** `request`, or `request/alternative`. */
  readonly reference: string;
  /** The request that it belongs to. */
  readonly request: string;
  readonly className: string;
  readonly isForAll: boolean;
  readonly count: number;
  /** Also permits devices that are in use. */
  readonly adminAccess: boolean;
  readonly selectors: readonly DeviceSelector[];
  readonly tolerations: readonly DeviceToleration[];
  readonly capacity: CapacityRequirements['requests'];
}

/** The alternatives that fulfill a request, the best first. Empty for an unknown kind of request. */
export function alternativesOf({ name, exactly, firstAvailable = [] }: DeviceRequest): readonly RequestedDevices[] {
  const asked = exactly === undefined ? firstAvailable : [{ ...exactly, name: '' }];
  return asked.map((each) => ({
    reference: each.name === '' ? name : `${name}/${each.name}`,
    request: name,
    className: each.deviceClassName,
    isForAll: each.allocationMode === 'All',
    count: each.count ?? 1,
    adminAccess: exactly?.adminAccess === true,
    selectors: each.selectors ?? [],
    tolerations: each.tolerations ?? [],
    capacity: each.capacity?.requests,
  }));
}

/** Whether a list of request names has these devices, or the request that they belong to. An empty list has all. */
export function isNamed(names: readonly string[], { request, reference }: RequestedDevices): boolean {
  return names.length === 0 || names.includes(request) || names.includes(reference);
}
