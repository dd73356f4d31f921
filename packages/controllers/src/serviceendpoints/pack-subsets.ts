import { sortedInSteps } from '@binnacle/apimachinery/json';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import { AddressSet, membersKey, mergeMembers, toMembers } from './address-set.js';
import { subsetPortText } from './go-text.js';

/** Addresses or ports. Each takes about a microsecond. */
const PER_STEP = 5000;

/** Addresses that are sorted or merged. Each takes part in several comparisons. */
const SORTED_PER_STEP = 2000;

/** Addresses of groups. Each takes some nanoseconds, and a group as much as a hundred. */
const MERGED_PER_STEP = 20_000;
const PER_GROUP = 100;

/** Ports that have the same addresses. */
export interface Packed<T> {
  /** Without duplicates. */
  readonly ports: EndpointPort[];
  /** Their addresses, in the form of the caller. */
  readonly addresses: T;
}

/** Ports that are in the same subsets. */
interface Listed {
  readonly ports: EndpointPort[];
  /** The positions of the subsets. */
  readonly sources: readonly number[];
}

/**
 * Groups the ports of subsets by their addresses. Users write subsets with thousands of addresses and of ports, so addresses are never counted by port:
 * `take` is called once for each group, and says what to keep of its addresses. If it returns undefined, so does this.
 */
export function* packSubsets<T>(
  subsets: readonly EndpointSubset[],
  take: (addresses: AddressSet) => T | undefined,
): Steps<readonly Packed<T>[] | undefined> {
  const { order, members } = yield* numbered(subsets);
  const packed = new Map<string, Packed<T>>();
  const pace = new Pace(MERGED_PER_STEP);
  for (const { ports, sources } of yield* listedPorts(subsets)) {
    const merged = yield* union(
      sources.map((source) => members[source] ?? new Uint32Array()),
      pace,
    );
    if (pace.endsStep(PER_GROUP + merged.length)) yield;
    const key = membersKey(merged);
    const known = packed.get(key);
    if (known !== undefined) {
      known.ports.push(...ports);
      continue;
    }
    const addresses = take(new AddressSet(order, merged));
    if (addresses === undefined) return undefined;
    packed.set(key, { ports: [...ports], addresses });
  }
  return [...packed.values()];
}

/** All addresses in order, and those of each subset. Addresses of one IP and target are one. */
function* numbered(subsets: readonly EndpointSubset[]) {
  const pace = new Pace(PER_STEP);
  const known = new Map<string, { readonly address: EndpointAddress; place: number }>();
  const seen: { readonly place: number }[][] = [];
  const entryOf = (address: EndpointAddress) => {
    const identity = `${address.ip} ${uidOf(address)}`;
    const entry = known.get(identity) ?? { address, place: 0 };
    known.set(identity, entry);
    return entry;
  };
  for (const { addresses, notReadyAddresses } of subsets) {
    const entries: { readonly place: number }[] = [];
    for (const list of [addresses, notReadyAddresses]) {
      for (const address of list ?? []) {
        entries.push(entryOf(address));
        if (pace.endsStep()) yield;
      }
    }
    seen.push(entries);
  }
  const order = yield* sortedInSteps(
    [...known.values()],
    (one, other) => compareAddresses(one.address, other.address),
    SORTED_PER_STEP,
  );
  for (const [place, entry] of order.entries()) entry.place = place;
  const members: Uint32Array[] = [];
  for (const [index, entries] of seen.entries()) {
    const ready = subsets[index]?.addresses?.length ?? 0;
    members.push(toMembers(entries.map(({ place }, position) => place * 2 + (position < ready ? 0 : 1))));
    if (pace.endsStep(entries.length)) yield;
  }
  return { order: order.map(({ address }) => address), members };
}

/** The ports, those in the same subsets together. Subsets without ports count as having one that is nowhere else. */
function* listedPorts(subsets: readonly EndpointSubset[]): Steps<Iterable<Listed>> {
  const pace = new Pace(PER_STEP);
  const offers = new Map<string, { readonly port: EndpointPort | undefined; readonly sources: number[] }>();
  for (const [source, { addresses, notReadyAddresses, ports }] of subsets.entries()) {
    if ((addresses ?? []).length + (notReadyAddresses ?? []).length === 0) continue;
    for (const port of (ports ?? []).length === 0 ? [undefined] : (ports ?? [])) {
      const key = port === undefined ? '' : subsetPortText(port);
      const offer = offers.get(key) ?? { port, sources: [] };
      offers.set(key, offer);
      if (offer.sources.at(-1) !== source) offer.sources.push(source);
      if (pace.endsStep()) yield;
    }
  }
  const listed = new Map<string, Listed>();
  for (const { port, sources } of offers.values()) {
    const key = sources.join(',');
    const known = listed.get(key) ?? { ports: [], sources };
    if (port !== undefined) known.ports.push(port);
    listed.set(key, known);
    if (pace.endsStep(sources.length)) yield;
  }
  return listed.values();
}

/** Merges pairs, then pairs of pairs. */
function* union(lists: readonly Uint32Array[], pace: Pace): Steps<Uint32Array> {
  let left = lists;
  while (left.length > 1) {
    const merged: Uint32Array[] = [];
    for (let index = 0; index < left.length; index += 2) {
      const both = mergeMembers(left[index] ?? new Uint32Array(), left[index + 1] ?? new Uint32Array());
      merged.push(both);
      if (pace.endsStep(1 + both.length)) yield;
    }
    left = merged;
  }
  return left[0] ?? new Uint32Array();
}

/** By IP, then those without a target, then by the target's uid. */
function compareAddresses(one: EndpointAddress, other: EndpointAddress): number {
  return compare(one.ip, other.ip) || compare(uidOf(one), uidOf(other));
}

function uidOf({ targetRef }: EndpointAddress): string {
  return targetRef?.uid ?? '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
