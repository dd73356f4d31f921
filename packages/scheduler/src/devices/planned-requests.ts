import { Budget } from '@binnacle/apimachinery/cel';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { Steps } from '@binnacle/apimachinery/work';
import { DEVICE_SELECTOR_COST } from '@binnacle/api/validation/admission';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { DeviceClass, DeviceRequest, DeviceSelector, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { devicesOf, type OfferedDevice } from './offered-device.js';
import { capacityFor } from './capacity.js';
import type { DeviceSelectors } from './device-selectors.js';
import { isReached, type Pool } from './pools.js';
import { alternativesOf, type RequestedDevices } from './requested-devices.js';
import type { SearchWork } from './search-work.js';

/** The most devices of a claim. Upstream: `AllocationResultsMaxSize`. */
export const MOST_DEVICES = 32;

/** The cost of preparing the device for an evaluation, in addition to the cost of the expression. */
const EVALUATION = 50;

/** A request, or one alternative of it, and how many devices it needs. */
export interface PlannedRequest {
  readonly requested: RequestedDevices;
  readonly deviceClass: DeviceClass;
  readonly count: number;
  /** Of the class and of the request. */
  readonly selectors: readonly OwnedSelector[];
  /** The devices of a request for all. */
  readonly all: readonly OfferedDevice[] | undefined;
}

/** A selector, and how messages name it. */
interface OwnedSelector {
  readonly expression: string;
  readonly title: string;
}

export interface PlanOptions {
  readonly node: Node;
  readonly pools: readonly Pool[];
  readonly deviceClass: (name: string) => DeviceClass | undefined;
  readonly selectors: DeviceSelectors;
  readonly work: SearchWork;
}

/** The alternatives of each request of a claim. Throws if the claim cannot be allocated on any node. Upstream: `validateDeviceRequest`. */
export function* planRequests(
  claim: ResourceClaim,
  options: PlanOptions,
): Steps<readonly (readonly PlannedRequest[])[]> {
  const planned: (readonly PlannedRequest[])[] = [];
  for (const request of claim.spec.devices?.requests ?? []) planned.push(yield* planRequest(claim, request, options));
  const least = planned.reduce((sum, alternatives) => sum + Math.min(...alternatives.map(({ count }) => count)), 0);
  if (least > MOST_DEVICES) {
    const limit = `exceeds the claim limit of ${MOST_DEVICES}`;
    throw new Error(`claim ${nameOf(claim)}: number of requested devices ${least} ${limit}`);
  }
  return planned;
}

function* planRequest(claim: ResourceClaim, request: DeviceRequest, options: PlanOptions): Steps<PlannedRequest[]> {
  const planned: PlannedRequest[] = [];
  for (const requested of alternativesOf(request)) planned.push(yield* planAlternative(claim, requested, options));
  return planned;
}

function* planAlternative(
  claim: ResourceClaim,
  requested: RequestedDevices,
  options: PlanOptions,
): Steps<PlannedRequest> {
  const { className } = requested;
  const deviceClass = options.deviceClass(className);
  const subject = `claim ${nameOf(claim)}, request ${requested.reference}`;
  if (deviceClass === undefined) throw new Error(`${subject}: could not retrieve device class ${className}`);
  const selectors = [
    ...owned(deviceClass.spec.selectors, `class ${deviceClass.metadata.name}`),
    ...owned(requested.selectors, `claim ${nameOf(claim)}`),
  ];
  const planned = { requested, deviceClass, selectors };
  if (!requested.isForAll) return { ...planned, count: requested.count, all: undefined };
  const faulty = options.pools.find(({ fault }) => fault !== undefined);
  if (faulty !== undefined) {
    const state = faulty.fault === 'incomplete' ? 'being updated' : 'invalid';
    throw new Error(`${subject}: asks for all devices, but resource pool ${faulty.id} is currently ${state}`);
  }
  const all: OfferedDevice[] = [];
  for (const offered of options.pools.flatMap(({ slices }) => slices.flatMap(devicesOf))) {
    if (!(yield* isSelected(offered, selectors, options))) continue;
    if (capacityFor(requested, offered.device, new Map()) !== undefined) all.push(offered);
  }
  return { ...planned, count: all.length, all };
}

function owned(selectors: readonly DeviceSelector[] = [], owner: string): OwnedSelector[] {
  return selectors.map(({ cel }, index) => ({
    expression: cel?.expression ?? '',
    title: `${owner}: selector #${index}`,
  }));
}

/** Whether the node reaches the device, and the selectors select it. Throws if a selector fails. */
export function* isSelected(
  offered: OfferedDevice,
  selectors: readonly OwnedSelector[],
  { node, selectors: answers, work }: Pick<PlanOptions, 'node' | 'selectors' | 'work'>,
): Steps<boolean> {
  if (work.endsStep(1 + selectors.length)) yield;
  for (const selector of selectors) {
    const known = answers.known(selector.expression, offered);
    if (known === false) return false;
    if (known === true) continue;
    const budget = new Budget(DEVICE_SELECTOR_COST);
    const isMatch = yield* evaluate(selector, offered, { answers, budget });
    if (work.endsStep(EVALUATION + budget.done)) yield;
    if (!isMatch) return false;
  }
  return offered.slice.spec.perDeviceNodeSelection !== true || isReached(offered.device, node);
}

function* evaluate(
  { expression, title }: OwnedSelector,
  offered: OfferedDevice,
  { answers, budget }: { readonly answers: DeviceSelectors; readonly budget: Budget },
): Steps<boolean> {
  try {
    return yield* answers.evaluate(expression, offered, budget);
  } catch (error) {
    throw new Error(`${title}: ${messageOf(error)}`, { cause: error });
  }
}

function nameOf({ metadata: { namespace = '', name = '' } }: ResourceClaim): string {
  return `${namespace}/${name}`;
}
