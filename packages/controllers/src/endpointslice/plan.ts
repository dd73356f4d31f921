import type { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { PlannedEvent } from '../common/index.js';
import { type AddressType, hasAddress, orderSlicePorts, portsKey } from '../serviceendpoints/index.js';
import { addressTypesOf, endpointOf, portsOf } from './endpoint.js';
import { fillSlices, type SliceChanges } from './fill-slices.js';
import { type HintChanges, type HintMemory, hintChanges, rememberNothing } from './plan-hints.js';
import { followsLabels, isOwnedBy, isPlaceholder, newSlice, sliceLabels } from './slice.js';
import type { ZoneShares } from './zone-shares.js';

/** The greatest number of endpoints in a slice. Upstream: `--max-endpoints-per-slice`. */
const MAXIMUM = 100;

export interface SliceView {
  readonly service: Service;
  /** Those that the service selects. */
  readonly pods: readonly Pod[];
  readonly nodeOf: (name: string) => Node | undefined;
  /** The slices that this controller manages for the service, without those being deleted. */
  readonly slices: readonly EndpointSlice[];
  readonly shares: ZoneShares | undefined;
  /** Of the last reconcile. */
  readonly hints: HintMemory | undefined;
  readonly maximum?: number;
}

export interface SlicePlan extends SliceChanges {
  readonly events: readonly PlannedEvent[];
  /** For the next reconcile. */
  readonly hints: HintMemory;
  /** Why the service is to be reconciled again: pods whose node is missing. Their endpoints are left out. */
  readonly problems: readonly string[];
}

/** Upstream: `Reconciler.Reconcile`. */
export function planSlices(view: SliceView): SlicePlan {
  const types = addressTypesOf(view.service);
  const others = view.slices.filter(({ addressType }) => !types.some((type) => type === addressType));
  let hints = view.hints ?? rememberNothing;
  const events: PlannedEvent[] = [];
  const problems: string[] = [];
  const parts = types.map((addressType) => {
    const part = planType(view, addressType, hints);
    ({ hints } = part);
    events.push(...part.events);
    problems.push(...part.problems);
    return recycled(part, view.service);
  });
  return {
    creates: parts.flatMap(({ creates }) => creates),
    updates: parts.flatMap(({ updates }) => updates),
    deletes: [...parts.flatMap(({ deletes }) => deletes), ...others],
    events,
    hints,
    problems: [...new Set(problems)],
  };
}

function planType(view: SliceView, addressType: AddressType, hints: HintMemory): SlicePlan {
  const { service } = view;
  const existing = view.slices.filter((slice) => slice.addressType === addressType);
  const { groups, problems } = desiredGroups(view, addressType);
  const changes = withPlaceholder(fillGroups(view, addressType, existing, groups), existing, view, addressType);
  const gone = new Set([...changes.updates, ...changes.deletes].map(({ metadata }) => metadata.name));
  const unchanged = existing.filter(({ metadata }) => !gone.has(metadata.name));
  const hinted: HintChanges = hintChanges({ service, addressType, changes, unchanged, shares: view.shares, hints });
  return { ...hinted, deletes: changes.deletes, problems };
}

/** Endpoints that share their ports. */
interface Group {
  /** In the order of slices. */
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Endpoint[];
}

function desiredGroups(view: SliceView, addressType: AddressType) {
  const { service, pods, nodeOf } = view;
  const groups = new Map<string, Group>();
  const problems: string[] = [];
  for (const pod of pods.filter(hasAddress)) {
    const ports = portsOf(pod, service);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports: orderSlicePorts(ports), endpoints: [] };
    groups.set(key, group);
    const { nodeName = '' } = pod.spec ?? {};
    const node = nodeOf(nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      const { namespace = '', name = '' } = service.metadata;
      problems.push(
        `skipping Pod ${pod.metadata.name ?? ''} for Service ${namespace}/${name}: Node ${nodeName} Not Found`,
      );
      continue;
    }
    const endpoint = endpointOf(pod, node, service, addressType);
    if (endpoint !== undefined) group.endpoints.push(endpoint);
  }
  return { groups: new Map([...groups.values()].map((group) => [portsKey(group.ports), group])), problems };
}

function fillGroups(
  { service, maximum = MAXIMUM }: SliceView,
  addressType: AddressType,
  existing: readonly EndpointSlice[],
  groups: ReadonlyMap<string, Group>,
): SliceChanges {
  const owned = existing.filter((slice) => isOwnedBy(slice, service));
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of owned) {
    const key = portsKey(orderSlicePorts(slice.ports ?? []));
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  const filled = [...groups].map(([key, { ports, endpoints }]) =>
    fillSlices({
      existing: byPorts.get(key) ?? [],
      desired: endpoints,
      maximum,
      isLabelled: (slice) => followsLabels(slice, service),
      label: (slice) => ({ ...slice, metadata: { ...slice.metadata, labels: sliceLabels(service) } }),
      blank: () => newSlice(service, addressType, ports),
    }),
  );
  const unwanted = [...byPorts].filter(([key]) => !groups.has(key)).flatMap(([, slices]) => slices);
  const foreign = existing.filter((slice) => !owned.includes(slice));
  return {
    creates: filled.flatMap(({ creates }) => creates),
    updates: filled.flatMap(({ updates }) => updates),
    deletes: [...foreign, ...filled.flatMap(({ deletes }) => deletes), ...unwanted],
  };
}

/** A service without endpoints has one empty slice, so that clients can tell that there are none. */
function withPlaceholder(
  changes: SliceChanges,
  existing: readonly EndpointSlice[],
  { service }: SliceView,
  addressType: AddressType,
): SliceChanges {
  if (existing.length !== changes.deletes.length || changes.creates.length > 0) return changes;
  const [only] = changes.deletes;
  const hasOne = changes.deletes.length === 1 && only !== undefined && isPlaceholder(only, service);
  return hasOne ? { ...changes, deletes: [] } : { ...changes, creates: [newSlice(service, addressType, [])] };
}

/** Slices to delete become those to create, as one update costs watchers less than two writes. */
function recycled({ creates, updates, deletes }: SliceChanges, service: Service): SliceChanges {
  const left = [...creates];
  const reused: EndpointSlice[] = [];
  const remaining = deletes.filter((slice) => {
    const last = isOwnedBy(slice, service) ? left.pop() : undefined;
    if (last === undefined) return true;
    const { name = '', resourceVersion = '' } = slice.metadata;
    reused.push({ ...last, metadata: { ...last.metadata, name, resourceVersion } });
    return false;
  });
  return { creates: left, updates: [...updates, ...reused], deletes: remaining };
}
