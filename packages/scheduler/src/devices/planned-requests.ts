import type { Node } from '@binnacle/client/kinds/core/v1';
import type { DeviceClass, DeviceRequest, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { devicesOf, type OfferedDevice } from './offered-device.js';
import { capacityFor } from './capacity.js';
import type { DeviceSelectors } from './device-selectors.js';
import { isReached, type Pool } from './pools.js';
import { alternativesOf, type RequestedDevices } from './requested-devices.js';

/** The most devices of a claim. Upstream: `AllocationResultsMaxSize`. */
export const MOST_DEVICES = 32;

/** A request, or one alternative of it, and how many devices it needs. */
export interface PlannedRequest {
  readonly requested: RequestedDevices;
  readonly deviceClass: DeviceClass;
  readonly count: number;
  /** The devices of a request for all. */
  readonly all: readonly OfferedDevice[] | undefined;
}

export interface PlanOptions {
  readonly node: Node;
  readonly pools: readonly Pool[];
  readonly deviceClass: (name: string) => DeviceClass | undefined;
  readonly selectors: DeviceSelectors;
}

/** The alternatives of each request of a claim. Throws if the claim cannot be allocated on any node. Upstream: `validateDeviceRequest`. */
export function planRequests(claim: ResourceClaim, options: PlanOptions): (readonly PlannedRequest[])[] {
  const requests = claim.spec.devices?.requests ?? [];
  const planned = requests.map((request) => planRequest(claim, request, options));
  const least = planned.reduce((sum, alternatives) => sum + Math.min(...alternatives.map(({ count }) => count)), 0);
  if (least > MOST_DEVICES) {
    const limit = `exceeds the claim limit of ${MOST_DEVICES}`;
    throw new Error(`claim ${nameOf(claim)}: number of requested devices ${least} ${limit}`);
  }
  return planned;
}

function planRequest(claim: ResourceClaim, request: DeviceRequest, options: PlanOptions): PlannedRequest[] {
  return alternativesOf(request).map((requested) => {
    const { className } = requested;
    const deviceClass = options.deviceClass(className);
    const subject = `claim ${nameOf(claim)}, request ${requested.reference}`;
    if (deviceClass === undefined) throw new Error(`${subject}: could not retrieve device class ${className}`);
    if (!requested.isForAll) return { requested, deviceClass, count: requested.count, all: undefined };
    const faulty = options.pools.find(({ fault }) => fault !== undefined);
    if (faulty !== undefined) {
      const state = faulty.fault === 'incomplete' ? 'being updated' : 'invalid';
      throw new Error(`${subject}: asks for all devices, but resource pool ${faulty.id} is currently ${state}`);
    }
    const offered = options.pools.flatMap(({ slices }) => slices.flatMap(devicesOf));
    const all = offered.filter(
      (device) =>
        isSelected(device, { requested, deviceClass }, claim, options) &&
        capacityFor(requested, device.device, new Map()) !== undefined,
    );
    return { requested, deviceClass, count: all.length, all };
  });
}

/** Whether the node reaches the device, and the class and the request select it. Throws if a selector fails. */
export function isSelected(
  offered: OfferedDevice,
  { requested, deviceClass }: Pick<PlannedRequest, 'requested' | 'deviceClass'>,
  claim: ResourceClaim,
  { node, selectors }: Pick<PlanOptions, 'node' | 'selectors'>,
): boolean {
  const all = [
    ...(deviceClass.spec.selectors ?? []).map((each) => [each, `class ${deviceClass.metadata.name}`] as const),
    ...requested.selectors.map((each) => [each, `claim ${nameOf(claim)}`] as const),
  ];
  for (const [index, [{ cel }, owner]] of all.entries()) {
    try {
      if (!selectors.matches(cel?.expression ?? '', offered)) return false;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(`${owner}: selector #${positionOf(index, all)}: ${text}`, { cause: error });
    }
  }
  return offered.slice.spec.perDeviceNodeSelection !== true || isReached(offered.device, node);
}

/** The index of a selector among those of its owner. */
function positionOf(index: number, all: readonly (readonly [unknown, string])[]): number {
  return index - all.findIndex(([, owner]) => owner === all[index]?.[1]);
}

function nameOf({ metadata: { namespace = '', name = '' } }: ResourceClaim): string {
  return `${namespace}/${name}`;
}
