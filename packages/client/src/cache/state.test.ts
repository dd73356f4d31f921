import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initialState, type ReflectorEvent, type ReflectorState, transition } from './index.js';

const at = (more: Partial<ReflectorState>): ReflectorState => ({ ...initialState(false), ...more });
const listed: ReflectorEvent = { type: 'listed', version: '5' };
const progress: ReflectorEvent = { type: 'progress', version: '6' };
const ended = (short: boolean): ReflectorEvent => ({ type: 'ended', short });
const failed = (
  failure: 'expired' | 'too-large' | 'unsupported' | 'transient' | 'other',
  short = false,
): ReflectorEvent => ({
  type: 'failed',
  failure,
  short,
});

const listing = at({ phase: 'listing' });
const streaming = at({ phase: 'streaming', streams: true });
const watching = at({ phase: 'watching', version: '5', failures: 2 });
const waiting = at({ phase: 'waiting', version: '5', failures: 3 });
const stopped = at({ phase: 'stopped' });

/** State, event, and the fields that change. */
const table: readonly (readonly [ReflectorState, ReflectorEvent, Partial<ReflectorState>])[] = [
  [listing, listed, { phase: 'watching', version: '5' }],
  [listing, failed('transient'), { phase: 'waiting', afterwards: 'begin', failures: 1 }],
  [listing, failed('unsupported'), { phase: 'waiting', afterwards: 'begin', failures: 1 }],
  [listing, progress, {}],
  [listing, { type: 'waited' }, {}],
  [streaming, listed, { phase: 'watching', version: '5' }],
  [streaming, ended(false), { phase: 'waiting', afterwards: 'begin', failures: 1 }],
  [streaming, failed('expired'), { phase: 'waiting', afterwards: 'begin', failures: 1 }],
  [streaming, failed('unsupported'), { phase: 'listing', streams: false }],
  [watching, progress, { version: '6', failures: 0 }],
  [watching, ended(false), { failures: 0 }],
  [watching, ended(true), { phase: 'waiting', afterwards: 'watch', failures: 3 }],
  [watching, failed('transient', true), { phase: 'waiting', afterwards: 'watch', failures: 3 }],
  [watching, failed('transient'), { phase: 'waiting', afterwards: 'watch', failures: 1 }],
  [watching, failed('expired', true), { phase: 'waiting', afterwards: 'begin', failures: 3 }],
  [watching, failed('too-large', true), { phase: 'waiting', afterwards: 'begin', failures: 3 }],
  [watching, failed('other', true), { phase: 'waiting', afterwards: 'begin', failures: 3 }],
  [watching, listed, {}],
  [waiting, { type: 'waited' }, { phase: 'listing' }],
  [{ ...waiting, streams: true }, { type: 'waited' }, { phase: 'streaming' }],
  [{ ...waiting, afterwards: 'watch' }, { type: 'waited' }, { phase: 'watching' }],
  [waiting, progress, {}],
  [stopped, listed, {}],
  [stopped, { type: 'waited' }, {}],
];

describe('reflector states', () => {
  for (const [state, event, difference] of table) {
    const what = 'failure' in event ? `${event.type} (${event.failure})` : event.type;
    it(`${state.phase}, ${what}`, () => assert.deepEqual(transition(state, event), { ...state, ...difference }));
  }

  it('begins as requested and stops in every phase', () => {
    assert.equal(initialState(false).phase, 'listing');
    assert.equal(initialState(true).phase, 'streaming');
    for (const state of [listing, streaming, watching, waiting, stopped]) {
      assert.equal(transition(state, { type: 'stop' }).phase, 'stopped');
    }
  });
});
