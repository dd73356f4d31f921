import type {
  DeviceSubRequest,
  DeviceTaint,
  ExactDeviceRequest,
  NodeAllocatableResourceMapping,
} from '../generated/types/resource-v1.js';
import type { DeviceRequest } from '../generated/types/resource-v1beta1.js';
import { type DefaultContext, typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty } from './values.js';

const name = (version: string, type: string) => `io.k8s.api.resource.${version}.${type}`;

function defaultRequest(request: ExactDeviceRequest | DeviceSubRequest | DeviceRequest): void {
  if (isEmpty(request.allocationMode)) request.allocationMode = 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

/**
 * v1beta1 keeps the fields of an exact request beside the alternatives. A request with alternatives leaves them empty.
 */
function defaultFlatRequest(request: DeviceRequest): void {
  if (!request.firstAvailable || request.firstAvailable.length === 0) defaultRequest(request);
}

function defaultTaint(taint: DeviceTaint, context: DefaultContext): void {
  taint.timeAdded ??= `${new Date(context.now()).toISOString().slice(0, 19)}Z`;
}

function defaultMapping(mapping: NodeAllocatableResourceMapping): void {
  mapping.allocationMultiplier ??= '1';
}

export const resourceDefaults: readonly TypeRuleEntry[] = [
  typeRule(name('v1', 'ExactDeviceRequest'), defaultRequest),
  typeRule(name('v1beta2', 'ExactDeviceRequest'), defaultRequest),
  typeRule(name('v1beta1', 'DeviceRequest'), defaultFlatRequest),
  ...['v1', 'v1beta2', 'v1beta1'].flatMap((version) => [
    typeRule(name(version, 'DeviceSubRequest'), defaultRequest),
    typeRule(name(version, 'NodeAllocatableResourceMapping'), defaultMapping),
  ]),
  ...['v1', 'v1beta2', 'v1beta1', 'v1alpha3'].map((version) => typeRule(name(version, 'DeviceTaint'), defaultTaint)),
];
