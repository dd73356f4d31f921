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

/** What fulfills a request, the best first. Empty for a kind of request that is not known. */
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

/** Whether a list of names of requests, empty for all, has this one or the request that it belongs to. */
export function isNamed(names: readonly string[], { request, reference }: RequestedDevices): boolean {
  return names.length === 0 || names.includes(request) || names.includes(reference);
}
