import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { Profile } from '../cycle/index.js';
import { failure, type PermitResult, type Plugin, type Status, success, unschedulable } from '../framework/index.js';
import { defaultPlugins } from '../plugins/index.js';
import { attemptOf, idleBinder, noDevices, podFacts } from '../testing/index.js';
import { bindPod, prepareBinding, reserve, unreserve } from './bind-pod.js';

const attempt = attemptOf(podFacts('p'), []);

/** The default plugins that sort and bind, and these. */
function profileOf(log: string[], ...plugins: readonly Plugin[]): Profile {
  const ordinary = defaultPlugins({
    write: async (_, node) => void log.push(`write ${node}`),
    binder: idleBinder,
    devices: noDevices,
  });
  const needed = ordinary.filter(({ plugin }) => plugin.name === 'PrioritySort' || plugin.name === 'DefaultBinder');
  return new Profile({
    name: 'default-scheduler',
    plugins: [...plugins.map((plugin) => ({ plugin, weight: 0 })), ...needed],
  });
}

function reserving(log: string[], name: string, answer: Status = success): Plugin {
  return {
    name,
    reserve: () => {
      log.push(`reserve ${name}`);
      return answer;
    },
    unreserve: () => void log.push(`unreserve ${name}`),
  };
}

describe('Reserve', () => {
  it('asks all plugins in order, and undoes them in the opposite order', () => {
    const log: string[] = [];
    const profile = profileOf(log, reserving(log, 'A'), reserving(log, 'B'));
    assert.equal(reserve(profile, attempt, 'n').code, 'Success');
    unreserve(profile, attempt, 'n');
    assert.deepEqual(log, ['reserve A', 'reserve B', 'unreserve B', 'unreserve A']);
  });

  it('undoes all plugins when one rejects, also those that were not asked', () => {
    const log: string[] = [];
    const profile = profileOf(log, reserving(log, 'A'), reserving(log, 'B', unschedulable('no')), reserving(log, 'C'));
    const status = reserve(profile, attempt, 'n');
    assert.deepEqual([status.code, status.plugin], ['Unschedulable', 'B']);
    assert.deepEqual(log, ['reserve A', 'reserve B', 'unreserve C', 'unreserve B', 'unreserve A']);
  });
});

describe('Permit and PreBind', () => {
  const permitting = (result: PermitResult): Plugin => ({ name: 'P', permit: () => result });
  const waiting = (decision: Promise<Status>): Plugin =>
    permitting({ status: { code: 'Wait', reasons: [] }, decision, timeout: 1000 });
  const never = new Promise<Status>(() => undefined);
  for (const [what, plugin, expected] of [
    ['no plugin', { name: 'P' }, ['Success', undefined]],
    ['a plugin that permits', permitting({ status: success }), ['Success', undefined]],
    ['a plugin that rejects', permitting({ status: unschedulable('no') }), ['Unschedulable', 'no']],
    ['a late permission', waiting(Promise.resolve(success)), ['Success', undefined]],
    ['a late rejection', waiting(Promise.resolve(unschedulable('late'))), ['Unschedulable', 'late']],
    ['no decision', waiting(never), ['Unschedulable', 'rejected due to timeout after waiting 1000 ms at plugin P']],
    ['a PreBind that fails', { name: 'P', preBind: async () => failure(new Error('full')) }, ['Error', 'full']],
    ['a PreBind that throws', { name: 'P', preBind: () => Promise.reject(new Error('lost')) }, ['Error', 'lost']],
  ] as const) {
    it(`${what}: ${expected.join(', ')}`, async () => {
      const clock = new VirtualClock();
      const { signal } = new AbortController();
      const prepared = prepareBinding(profileOf([], plugin), attempt, 'n', { clock, signal });
      await clock.advance(1000);
      const { code, reasons } = await prepared;
      assert.deepEqual([code, reasons[0]], expected);
    });
  }

  it('ends when the scheduler ends', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const prepared = prepareBinding(profileOf([], waiting(never)), attempt, 'n', { clock: new VirtualClock(), signal });
    controller.abort(new Error('stopped'));
    assert.deepEqual(await prepared, failure(new Error('stopped')));
  });
});

describe('Bind', () => {
  const { signal } = new AbortController();

  it('leaves the binding to the next plugin when one skips, and tells PostBind', async () => {
    const log: string[] = [];
    const skipping: Plugin = { name: 'S', bind: async () => ({ code: 'Skip', reasons: [] }) };
    const told: Plugin = { name: 'T', postBind: (_, node) => void log.push(`bound to ${node}`) };
    assert.equal((await bindPod(profileOf(log, skipping, told), attempt, 'n', signal)).code, 'Success');
    assert.deepEqual(log, ['write n', 'bound to n']);
  });

  it('fails when a plugin throws', async () => {
    const throwing: Plugin = { name: 'S', bind: () => Promise.reject(new Error('refused')) };
    assert.deepEqual(await bindPod(profileOf([], throwing), attempt, 'n', signal), failure(new Error('refused')));
  });
});
