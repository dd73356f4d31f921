import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import {
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailability,
} from './pod-state.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');

function pod(phase: string, ready?: string, deletionTimestamp?: string): Pod {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: ready }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: deletionTimestamp === undefined ? {} : { deletionTimestamp },
    // The tables below give the phase as a plain string.
    status: { phase, conditions } as NonNullable<Pod['status']>,
  };
}

describe('pod state', () => {
  for (const [given, terminal, active, terminating] of [
    [pod('Pending'), false, true, false],
    [pod('Running'), false, true, false],
    [pod('Running', undefined, 'soon'), false, false, true],
    [pod('Succeeded'), true, false, false],
    [pod('Failed', undefined, 'soon'), true, false, false],
  ] as const) {
    it(`${given.status?.phase ?? ''}${given.metadata.deletionTimestamp === undefined ? '' : ', deleted'}`, () => {
      assert.deepEqual(
        [isPodTerminal(given), isPodActive(given), isPodTerminating(given)],
        [terminal, active, terminating],
      );
    });
  }

  it('is available after it has been ready for long enough', () => {
    const ready = pod('Running', '2026-01-01T11:59:50Z');
    assert.ok(isPodReady(ready) && isPodAvailable(ready, 0, NOON) && isPodAvailable(ready, 10, NOON));
    assert.ok(!isPodAvailable(ready, 11, NOON));
    assert.ok(!isPodAvailable(pod('Running'), 0, NOON));
  });

  it('changes next when the first of the ready pods becomes available', () => {
    const pods = [pod('Running', '2026-01-01T11:59:50Z'), pod('Running', '2026-01-01T11:59:58Z'), pod('Running')];
    assert.deepEqual(
      [5, 10, 11, 20].map((seconds) => nextAvailability(pods, seconds, NOON)),
      [3000, 8000, 1000, 10_000],
    );
    assert.equal(nextAvailability(pods, 0, NOON), undefined);
    assert.equal(nextAvailability([pod('Running')], 5, NOON), undefined);
  });
});
