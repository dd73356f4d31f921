import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import * as fc from 'fast-check';
import { endpoint, slice } from './endpointslice.testing.js';
import { fillSlices } from './fill-slices.js';

const MAXIMUM = 4;

/** Slices as texts: `a:1,2` is the slice `a` with the endpoints 1 and 2. */
function filled(existing: readonly string[], desired: string, isLabelled = true) {
  const changes = finish(
    fillSlices({
      existing: existing.map((text) => {
        const [name = '', endpoints = ''] = text.split(':');
        return slice(
          name,
          numbers(endpoints).map((address) => endpoint(address)),
        );
      }),
      desired: numbers(desired).map((address) => endpoint(address)),
      maximum: MAXIMUM,
      isLabelled: () => isLabelled,
      label: (each) => each,
      blank: () => slice('new', []),
    }),
  );
  return { creates: texts(changes.creates), updates: texts(changes.updates), deletes: names(changes.deletes) };
}

const numbers = (text: string) => text.split(',').filter((each) => each !== '');
const texts = (slices: readonly EndpointSlice[]) =>
  slices.map(({ metadata, endpoints }) => `${metadata.name}:${endpoints?.map(({ addresses }) => addresses[0]).join()}`);
const names = (slices: readonly EndpointSlice[]) => slices.map(({ metadata }) => metadata.name);

const nothing = { creates: [], updates: [], deletes: [] };

describe('fillSlices', () => {
  for (const [what, existing, desired, expected] of [
    ['does nothing without endpoints', [], '', nothing],
    ['does nothing for endpoints in their slices', ['a:1,2', 'b:3'], '1,2,3', nothing],
    ['creates slices that are full but for the last', [], '1,2,3,4,5,6', { creates: ['new:1,2,3,4', 'new:5,6'] }],
    ['removes endpoints in place', ['a:1,2', 'b:3'], '1,3', { updates: ['a:1'] }],
    ['deletes a slice that loses its last endpoint', ['a:1,2', 'b:3'], '1,2', { deletes: ['b'] }],
    ['puts new ones into a slice that changes anyway', ['a:1,2', 'b:3'], '1,3,4', { updates: ['a:1,4'] }],
    ['fills the fullest of those first', ['a:1,2', 'b:3,4,5,6'], '1,3,4,5,7', { updates: ['a:1', 'b:3,4,5,7'] }],
    ['puts the rest into one unchanged slice', ['a:1', 'b:2,3'], '1,2,3,4', { updates: ['b:2,3,4'] }],
    ['takes the fullest with room for all', ['a:1', 'b:2,3,4'], '1,2,3,4,5,6', { updates: ['a:1,5,6'] }],
    ['creates a slice if none has room for all', ['a:1,2,3', 'b:4,5,6'], '1,2,3,4,5,6,7,8', { creates: ['new:7,8'] }],
    ['does not merge slices', ['a:1', 'b:2'], '1,2', nothing],
    ['fills an empty slice', ['a:'], '1', { updates: ['a:1'] }],
    ['drops an endpoint that is in two slices from one', ['a:1', 'b:1,2'], '1,2', { updates: ['b:2'] }],
  ] as const) {
    it(what, () => assert.deepEqual(filled(existing, desired), { ...nothing, ...expected }));
  }

  it('updates slices with other labels, and fills them first', () => {
    assert.deepEqual(filled(['a:1'], '1', false), { ...nothing, updates: ['a:1'] });
    assert.deepEqual(filled(['a:1'], '1,2', false), { ...nothing, updates: ['a:1,2'] });
  });

  it('places every endpoint once, in slices of the allowed length, and is then content', () => {
    const addresses = fc.uniqueArray(fc.integer({ min: 1, max: 40 }).map(String));
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 40 }).map(String), { maxLength: MAXIMUM })),
        addresses,
        (lists, desired) => {
          const existing = lists.map((list, index) =>
            slice(
              `s${index}`,
              list.map((address) => endpoint(address)),
            ),
          );
          const options = {
            desired: desired.map((address) => endpoint(address)),
            maximum: MAXIMUM,
            isLabelled: () => true,
            label: (each: EndpointSlice) => each,
            blank: () => slice('', []),
          };
          const { creates, updates, deletes } = finish(fillSlices({ ...options, existing }));
          const gone = new Set([...updates, ...deletes].map(({ metadata }) => metadata.name));
          const kept = existing.filter(({ metadata }) => !gone.has(metadata.name));
          const made = creates.map((each, index) => ({ ...each, metadata: { ...each.metadata, name: `n${index}` } }));
          const after = [...kept, ...updates, ...made];
          const placed = after.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((each) => each.addresses));
          assert.deepEqual(placed.toSorted(), desired.toSorted());
          assert.ok(after.every(({ endpoints }) => (endpoints ?? []).length <= MAXIMUM));
          assert.deepEqual(finish(fillSlices({ ...options, existing: after })), nothing);
        },
      ),
    );
  });
});
