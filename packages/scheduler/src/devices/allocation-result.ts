import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Node, NodeSelector, NodeSelectorRequirement } from '@binnacle/client/kinds/core/v1';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '@binnacle/client/kinds/resource/v1';
import { isNamed } from './requested-devices.js';
import type { ChosenDevice, ClaimSolution } from './search.js';

/** What the status of the claim says about its devices. `shareId` identifies the use of a device that others share. */
export function allocationOf(
  claim: ResourceClaim,
  solution: ClaimSolution,
  { node, shareId }: { readonly node: Node; readonly shareId: () => string },
): AllocationResult {
  const nodeSelector = selectorOf(solution.devices, node);
  const config = configurationOf(claim, solution);
  return {
    devices: {
      results: solution.devices.map((chosen) => resultOf(chosen, shareId)),
      ...(config.length > 0 && { config }),
    },
    ...(nodeSelector && { nodeSelector }),
  };
}

function resultOf(
  { requested, offered, consumed }: ChosenDevice,
  shareId: () => string,
): DeviceRequestAllocationResult {
  const { device, slice } = offered;
  const { bindingConditions, bindingFailureConditions } = device;
  const amounts = [...(consumed ?? [])].map(([name, amount]) => [name, amount.toString()] as const);
  return {
    request: requested.reference,
    driver: slice.spec.driver,
    pool: slice.spec.pool.name,
    device: device.name,
    ...(requested.adminAccess && { adminAccess: true }),
    ...(requested.tolerations.length > 0 && { tolerations: requested.tolerations }),
    ...(bindingConditions && { bindingConditions }),
    ...(bindingFailureConditions && { bindingFailureConditions }),
    ...(consumed && { shareID: shareId() }),
    ...(amounts.length > 0 && { consumedCapacity: Object.fromEntries(amounts) }),
  };
}

/** First that of the classes, each once, then that of the claim for the requests that were fulfilled. */
function configurationOf({ spec }: ResourceClaim, { fulfilled }: ClaimSolution): DeviceAllocationConfiguration[] {
  const classes = new Map(fulfilled.map(({ deviceClass }) => [deviceClass.metadata.name, deviceClass]));
  const ofClasses = [...classes.values()].flatMap((deviceClass) => {
    const users = fulfilled.filter((planned) => planned.deviceClass === deviceClass);
    const requests = users.map(({ requested }) => requested.reference);
    return (deviceClass.spec.config ?? []).map((config) => ({ ...config, source: 'FromClass' as const, requests }));
  });
  const ofClaim = (spec.devices?.config ?? []).flatMap((config) => {
    const { requests = [] } = config;
    const users = fulfilled.filter(({ requested }) => isNamed(requests, requested));
    // Without names it is for all requests, and listed once.
    const times = requests.length === 0 ? 1 : users.length;
    return Array.from({ length: times }, () => ({ ...config, source: 'FromClaim' as const }));
  });
  return [...ofClasses, ...ofClaim];
}

/** The nodes that reach all devices; undefined if all nodes do. */
function selectorOf(devices: readonly ChosenDevice[], node: Node): NodeSelector | undefined {
  const fields: NodeSelectorRequirement[] = [];
  const expressions: NodeSelectorRequirement[] = [];
  for (const { offered } of devices) {
    const { device, slice } = offered;
    const { nodeName, nodeSelector } = slice.spec.perDeviceNodeSelection === true ? device : slice.spec;
    if (nodeName !== undefined || device.bindsToNode === true) {
      const name = { key: 'metadata.name', operator: 'In', values: [node.metadata.name ?? ''] } as const;
      return { nodeSelectorTerms: [{ matchFields: [name] }] };
    }
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    for (const each of term?.matchFields ?? []) addTo(fields, each);
    for (const each of term?.matchExpressions ?? []) addTo(expressions, each);
  }
  if (fields.length + expressions.length === 0) return undefined;
  const term = {
    ...(fields.length > 0 && { matchFields: fields }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
  return { nodeSelectorTerms: [term] };
}

function addTo(requirements: NodeSelectorRequirement[], added: NodeSelectorRequirement): void {
  if (!requirements.some((each) => deepEqual(asJson(each), asJson(added)))) requirements.push(added);
}
