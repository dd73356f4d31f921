import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { PlannedEvent } from '../common/index.js';
import type { AddressType } from '../serviceendpoints/index.js';
import type { SliceChanges } from './fill-slices.js';
import { topologyHints } from './topology-hints.js';
import { asksForTopology, distributionOf, withoutHints, withTrafficHints } from './traffic-hints.js';
import type { ZoneShares } from './zone-shares.js';

const ENDPOINTS_PER_STEP = 2000;

/** What a reconcile of a service remembers of its hints by topology. */
export interface HintMemory {
  /** By type of addresses, how many endpoints have a hint for a zone. */
  readonly allocated: ReadonlyMap<AddressType, ReadonlyMap<string, number>>;
  /** Whether the last type of addresses got hints. */
  readonly isPopulated: boolean;
}

export const rememberNothing: HintMemory = { allocated: new Map(), isPopulated: false };

export interface HintView {
  readonly service: Service;
  readonly addressType: AddressType;
  readonly changes: SliceChanges;
  readonly unchanged: readonly EndpointSlice[];
  readonly shares: ZoneShares | undefined;
  readonly hints: HintMemory;
}

export interface HintChanges {
  readonly creates: readonly EndpointSlice[];
  /** Also unchanged slices that need other hints. */
  readonly updates: readonly EndpointSlice[];
  readonly events: readonly PlannedEvent[];
  readonly hints: HintMemory;
}

/** Gives the slices of one type of addresses the hints that the service asks for, or takes them away. */
export function* hintChanges(view: HintView): Steps<HintChanges> {
  const { service, addressType, hints } = view;
  if (asksForTopology(service)) return yield* withTopology(view);
  const events = hints.isPopulated ? [warning('Topology Aware Hints has been disabled', addressType)] : [];
  const distribution = distributionOf(service);
  const change =
    distribution === undefined ? withoutHints : (slice: EndpointSlice) => withTrafficHints(slice, distribution);
  return { ...(yield* applied(view, change)), events, hints: without(hints, addressType) };
}

function* withTopology(view: HintView): Steps<HintChanges> {
  const { addressType, changes, unchanged, shares, hints } = view;
  const changed = [...changes.creates, ...changes.updates];
  const outcome = yield* topologyHints({ changed, unchanged, shares });
  if ('problem' in outcome) {
    const events = [warning(outcome.problem, addressType)];
    return { ...(yield* applied(view, withoutHints)), events, hints: without(hints, addressType) };
  }
  const hinted = new Map([...changed, ...unchanged].map((slice, index) => [slice, outcome.hinted[index] ?? slice]));
  const message = withType('Topology Aware Hints has been enabled', addressType);
  return {
    ...(yield* applied(view, (slice) => hinted.get(slice) ?? slice)),
    events: hints.isPopulated ? [] : [{ type: 'Normal', reason: 'TopologyAwareHintsEnabled', message }],
    hints: { allocated: new Map([...hints.allocated, [addressType, outcome.allocated]]), isPopulated: true },
  };
}

/** `change` returns the same object for a slice that needs no change. */
function* applied({ changes, unchanged }: HintView, change: (slice: EndpointSlice) => EndpointSlice) {
  const creates: EndpointSlice[] = [];
  const updates: EndpointSlice[] = [];
  const pace = new Pace(ENDPOINTS_PER_STEP);
  for (const [slices, changed] of [
    [changes.creates, creates],
    [changes.updates, updates],
    [unchanged, updates],
  ] as const) {
    for (const slice of slices) {
      const after = change(slice);
      if (slices !== unchanged || after !== slice) changed.push(after);
      if (pace.endsStep(1 + (slice.endpoints ?? []).length)) yield;
    }
  }
  return { creates, updates };
}

function without(hints: HintMemory, addressType: AddressType): HintMemory {
  if (!hints.isPopulated && !hints.allocated.has(addressType)) return hints;
  return { allocated: new Map([...hints.allocated].filter(([type]) => type !== addressType)), isPopulated: false };
}

function warning(message: string, addressType: AddressType): PlannedEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: withType(message, addressType) };
}

function withType(message: string, addressType: AddressType): string {
  return `${message}, addressType: ${addressType}`;
}
