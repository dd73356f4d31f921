import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { Container, Probe } from '@binnacle/client/kinds/core/v1';
import { Prober } from './prober.js';

const START = 10_000;

/** A container whose probes run commands. A command fails while its name is among `failing`. */
function start(container: Partial<Container>, ...failing: readonly string[]) {
  const clock = new VirtualClock(START);
  const seen = { failing: new Set(failing), changes: 0, found: [] as string[] };
  const prober = new Prober({
    container: { name: 'c', ...container },
    address: '127.0.0.1',
    clock,
    run: async ([name = '']) => ({ exitCode: seen.failing.has(name) ? 1 : 0, output: `no ${name}` }),
    onChange: () => void seen.changes++,
    onFailure: (kind, message) => void seen.found.push(`${kind}: ${message}`),
    onUnhealthy: (kind, { failureThreshold }) => void seen.found.push(`${kind} for good: ${failureThreshold}`),
  });
  const times = (): readonly number[] => [prober.startedAt - START, prober.readyAt - START];
  return { clock, prober, seen, times };
}

const probe = (name: string, further: Probe = {}): Probe => ({
  exec: { command: [name] },
  periodSeconds: 1,
  ...further,
});

describe('the probes of a container', () => {
  it('without any are passed at once', () => {
    const { times, clock } = start({});
    assert.deepEqual([times(), clock.waiting], [[0, 0], 0]);
  });

  it('begin with startup, after which a container without a readiness probe is ready', async () => {
    const startupProbe = probe('startup', { failureThreshold: 5 });
    const { times, clock, seen } = start({ startupProbe, livenessProbe: probe('live') }, 'startup', 'live');
    await clock.advance(1500);
    assert.deepEqual([times(), seen.changes], [[Infinity, Infinity], 0]);
    assert.deepEqual(seen.found, ['Startup: no startup', 'Startup: no startup']);
    seen.failing.clear();
    await clock.advance(500);
    assert.deepEqual([times(), seen.changes], [[2000, 2000], 1]);
  });

  it('end when startup has failed for good', async () => {
    const startupProbe = probe('startup', { failureThreshold: 2 });
    const { times, clock, seen } = start({ startupProbe, readinessProbe: probe('ready') }, 'startup');
    await clock.advance(10_000);
    assert.deepEqual(seen.found, ['Startup: no startup', 'Startup: no startup', 'Startup for good: 2']);
    assert.deepEqual([times(), clock.waiting], [[Infinity, Infinity], 0]);
  });

  it('follow readiness both ways', async () => {
    const readinessProbe = probe('ready', { initialDelaySeconds: 3, failureThreshold: 1 });
    const { times, clock, seen } = start({ readinessProbe });
    await clock.advance(2999);
    assert.deepEqual(times(), [0, Infinity]);
    await clock.advance(1);
    assert.deepEqual(times(), [0, 3000]);
    seen.failing.add('ready');
    await clock.advance(1000);
    assert.deepEqual([times(), seen.changes, seen.found], [[0, Infinity], 2, ['Readiness: no ready']]);
    seen.failing.clear();
    await clock.advance(1000);
    assert.deepEqual([times(), seen.changes], [[0, 5000], 3]);
  });

  it('report once that the container is not alive', async () => {
    const livenessProbe = probe('live', { periodSeconds: 5, failureThreshold: 2 });
    const { clock, seen } = start({ livenessProbe });
    await clock.advance(5000);
    assert.deepEqual(seen.found, []);
    seen.failing.add('live');
    await clock.advance(60_000);
    assert.deepEqual(seen.found, ['Liveness: no live', 'Liveness: no live', 'Liveness for good: 2']);
  });

  it('find nothing more after the end of the container', async () => {
    const given = { livenessProbe: probe('live'), readinessProbe: probe('ready', { initialDelaySeconds: 5 }) };
    const { prober, clock, seen, times } = start(given, 'live');
    await clock.advance(0);
    prober.stop();
    await clock.advance(60_000);
    assert.deepEqual([seen.found, times(), clock.waiting], [['Liveness: no live'], [0, Infinity], 0]);
    const other = start(given, 'live');
    other.prober.stop();
    await other.clock.advance(60_000);
    assert.deepEqual(other.seen.found, []);
  });
});
