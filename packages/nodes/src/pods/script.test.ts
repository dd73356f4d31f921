import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { type Script, scriptOf } from './script.js';

function podWith(annotations: Readonly<Record<string, string>>, isJobs = false): Pod {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`binnacle.dev/${name}`, value]),
      ),
      ...(isJobs ? { ownerReferences: [owner] } : {}),
    },
  };
}

/** The script of a pod without annotations. */
const plain: Script = {
  startAfter: undefined,
  readyAfter: 0,
  unreadyAfter: Infinity,
  livenessFailsAfter: undefined,
  initEnd: { after: 1000, exitCode: 0 },
  end: undefined,
  isOfJob: false,
  evictAfter: undefined,
  logs: '',
  logInterval: undefined,
  usage: { cpu: undefined, memory: undefined },
  problems: [],
};

describe('the script of a pod', () => {
  const scripts: readonly (readonly [Readonly<Record<string, string>>, Partial<Script>])[] = [
    [{}, {}],
    [{ 'start-after': '1m' }, { startAfter: 60_000 }],
    [{ 'ready-after': '1m30s' }, { readyAfter: 90_000 }],
    [{ 'unready-after': '2s' }, { unreadyAfter: 2000 }],
    [{ 'liveness-fails-after': '3s' }, { livenessFailsAfter: 3000 }],
    [{ 'init-run-for': '4s', 'init-exit-code': '255' }, { initEnd: { after: 4000, exitCode: 255 } }],
    [{ 'run-for': '5s' }, { end: { after: 5000, exitCode: 0 } }],
    [{ 'fail-after': '5s' }, { end: { after: 5000, exitCode: 1 } }],
    [{ 'run-for': '5s', 'exit-code': '7' }, { end: { after: 5000, exitCode: 7 } }],
    [{ 'fail-after': '5s', 'run-for': '4s' }, { end: { after: 4000, exitCode: 0 } }],
    [{ 'evict-after': '0s' }, { evictAfter: 0 }],
    [
      { logs: 'a\n\nb\n', 'log-interval': '100ms' },
      { logs: 'a\n\nb\n', logInterval: 100 },
    ],
    [{ logs: '' }, {}],
  ];
  for (const [annotations, expected] of scripts) {
    it(JSON.stringify(annotations), () => assert.deepEqual(scriptOf(podWith(annotations)), { ...plain, ...expected }));
  }

  it('knows the pods of Jobs, and ends their containers as annotations say', () => {
    assert.deepEqual(scriptOf(podWith({}, true)), { ...plain, isOfJob: true });
    assert.deepEqual(scriptOf(podWith({ 'exit-code': '7' }, true)).end, { after: 1000, exitCode: 7 });
    assert.deepEqual(scriptOf(podWith({ 'run-for': '1m' }, true)).end, { after: 60_000, exitCode: 0 });
    assert.deepEqual(scriptOf(podWith({ 'fail-after': '1m' }, true)).end, { after: 60_000, exitCode: 1 });
  });

  it('has the usage of each container', () => {
    const { usage } = scriptOf(podWith({ cpu: '250m', memory: '1Gi' }));
    assert.deepEqual([usage.cpu?.asNumber(), usage.memory?.asNumber()], [0.25, 2 ** 30]);
  });

  const duration = 'a duration such as 1m30s, and at most 24 days';
  const code = 'an integer from 0 to 255';
  const quantity = 'a quantity such as 250m or 64Mi, and not negative';
  const ignored: readonly (readonly [string, string, string])[] = [
    ['start-after', 'later', duration],
    ['ready-after', 'soon', duration],
    ['run-for', '-1s', duration],
    ['evict-after', '600h', duration],
    ['exit-code', '256', code],
    ['init-exit-code', '-1', code],
    ['log-interval', '99ms', `${duration}, and at least 100ms`],
    ['log-interval', 'often', `${duration}, and at least 100ms`],
    ['cpu', 'much', quantity],
    ['memory', '-1Mi', quantity],
  ];
  for (const [name, value, expected] of ignored) {
    it(`ignores ${name}: ${value}`, () => {
      const problems = [`annotation binnacle.dev/${name} is ignored: it must be ${expected}`];
      assert.deepEqual(scriptOf(podWith({ [name]: value })), { ...plain, problems });
    });
  }
});
