import type { Steps } from '@binnacle/apimachinery/work';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { PlannedEvent } from '../common/index.js';
import { type AddressType, slicesByPorts } from '../serviceendpoints/index.js';
import { desiredGroups, type DesiredView, type Group } from './desired.js';
import { addressTypesOf } from './endpoint.js';
import { fillSlices, type SliceChanges } from './fill-slices.js';
import { type HintChanges, type HintMemory, hintChanges, rememberNothing } from './plan-hints.js';
import { followsLabels, isOwnedBy, isPlaceholder, newSlice, sliceLabels } from './slice.js';
import type { ZoneShares } from './zone-shares.js';

/** The greatest number of endpoints in a slice. Upstream: `--max-endpoints-per-slice`. */
const MAXIMUM = 100;

export interface SliceView extends DesiredView {
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
export function* planSlices(view: SliceView): Steps<SlicePlan> {
  const types = addressTypesOf(view.service);
  const others = view.slices.filter(({ addressType }) => !types.some((type) => type === addressType));
  let hints = view.hints ?? rememberNothing;
  const events: PlannedEvent[] = [];
  const problems: (readonly string[])[] = [];
  const parts: SliceChanges[] = [];
  for (const addressType of types) {
    const part: SlicePlan = yield* planType(view, addressType, hints);
    ({ hints } = part);
    events.push(...part.events);
    problems.push(part.problems);
    parts.push(recycled(part, view.service));
  }
  return {
    creates: parts.flatMap(({ creates }) => creates),
    updates: parts.flatMap(({ updates }) => updates),
    deletes: [...parts.flatMap(({ deletes }) => deletes), ...others],
    events,
    hints,
    problems: [...new Set(problems.flat())],
  };
}

function* planType(view: SliceView, addressType: AddressType, hints: HintMemory): Steps<SlicePlan> {
  const { service } = view;
  const existing = view.slices.filter((slice) => slice.addressType === addressType);
  const { groups, problems } = yield* desiredGroups(view, addressType);
  const filled = yield* fillGroups(view, addressType, existing, groups);
  const changes = withPlaceholder(filled, existing, view, addressType);
  const gone = new Set([...changes.updates, ...changes.deletes].map(({ metadata }) => metadata.name));
  const unchanged = existing.filter(({ metadata }) => !gone.has(metadata.name));
  const hinted: HintChanges = yield* hintChanges({
    service,
    addressType,
    changes,
    unchanged,
    shares: view.shares,
    hints,
  });
  return { ...hinted, deletes: changes.deletes, problems };
}

function* fillGroups(
  { service, maximum = MAXIMUM }: SliceView,
  addressType: AddressType,
  existing: readonly EndpointSlice[],
  groups: ReadonlyMap<string, Group>,
): Steps<SliceChanges> {
  const foreign = existing.filter((slice) => !isOwnedBy(slice, service));
  const byPorts = yield* slicesByPorts(existing.filter((slice) => isOwnedBy(slice, service)));
  const filled: SliceChanges[] = [];
  for (const [key, { ports, endpoints }] of groups) {
    const changes = yield* fillSlices({
      existing: byPorts.get(key) ?? [],
      desired: endpoints,
      maximum,
      isLabelled: (slice) => followsLabels(slice, service),
      label: (slice) => ({ ...slice, metadata: { ...slice.metadata, labels: sliceLabels(service) } }),
      blank: () => newSlice(service, addressType, ports),
    });
    filled.push(changes);
  }
  const unwanted = [...byPorts].filter(([key]) => !groups.has(key)).flatMap(([, slices]) => slices);
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
