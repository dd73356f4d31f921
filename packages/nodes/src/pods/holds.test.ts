import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type Hold, holdsOf, mountProblemOf, neededSources, nextPodStep, type Source } from './index.js';
import { podOn, START } from './pod-life.testing.js';

const keys: Readonly<Record<string, ReadonlySet<string>>> = {
  'ConfigMap/settings': new Set(['color']),
  'Secret/password': new Set(['value']),
};
const keysOf = ({ kind, name }: Source): ReadonlySet<string> | undefined => keys[`${kind}/${name}`];

const variable = (valueFrom: NonNullable<NonNullable<Container['env']>[number]['valueFrom']>) => ({
  env: [{ name: 'X', valueFrom }],
});

const mounted = (subPathExpr: string, value = '') => ({
  env: [
    { name: 'P', value },
    { name: 'S', valueFrom: { secretKeyRef: { name: 'password', key: 'value' } } },
  ],
  volumeMounts: [{ name: 'v', mountPath: '/logs', subPathExpr }],
});

describe('what holds a container back', () => {
  const cases: Record<string, [Omit<Container, 'name'>, string | undefined]> = {
    nothing: [{}, undefined],
    'no present key of a ConfigMap': [variable({ configMapKeyRef: { name: 'settings', key: 'color' } }), undefined],
    'a missing ConfigMap': [variable({ configMapKeyRef: { name: 'none', key: 'k' } }), 'configmap "none" not found'],
    'a missing Secret': [variable({ secretKeyRef: { name: 'none', key: 'k' } }), 'secret "none" not found'],
    'a missing key of a ConfigMap': [
      variable({ configMapKeyRef: { name: 'settings', key: 'size' } }),
      "couldn't find key size in ConfigMap n/settings",
    ],
    'a missing key of a Secret': [
      variable({ secretKeyRef: { name: 'password', key: 'salt' } }),
      "couldn't find key salt in Secret n/password",
    ],
    'no optional reference': [variable({ secretKeyRef: { name: 'none', key: 'k', optional: true } }), undefined],
    'no whole ConfigMap that exists': [{ envFrom: [{ configMapRef: { name: 'settings' } }] }, undefined],
    'a whole Secret that is missing': [{ envFrom: [{ secretRef: { name: 'none' } }] }, 'secret "none" not found'],
    'no path that a variable gives': [mounted('a/$(P)', 'b'), undefined],
    'no path whose variable is not read': [mounted('/$(S)/..', ''), undefined],
    'a path whose variable is empty': [mounted('/$(P)'), 'missing value for P'],
    'an absolute path': [mounted('$(P)', '/tmp'), 'error SubPath `/tmp` must not be an absolute path'],
    'a path to the parent': [mounted('a/$(P)', '..'), "unable to provision SubPath `a/..`: must not contain '..'"],
    'no field of the pod': [variable({ fieldRef: { fieldPath: 'metadata.name' } }), undefined],
  };
  for (const [title, [container, message]] of Object.entries(cases)) {
    it(title, () => {
      const pod = podOn({ containers: [{ name: 'c', image: 'img:1', ...container }] });
      assert.equal(holdsOf(pod, keysOf).get('c')?.message, message);
    });
  }

  it('is a volume whose ConfigMap or Secret is missing, until a container has run', () => {
    const volumes = [
      { name: 'token', projected: { sources: [{ configMap: { name: 'none' } }] } },
      { name: 'optional', secret: { secretName: 'none', optional: true } },
      { name: 'there', configMap: { name: 'settings' } },
      { name: 'keys', secret: { secretName: 'keys' } },
    ];
    const pod = podOn({ volumes });
    const message = 'MountVolume.SetUp failed for volume "keys" : secret "keys" not found';
    assert.deepEqual(
      neededSources(pod).map(({ name }) => name),
      ['settings', 'keys'],
    );
    assert.equal(mountProblemOf(pod, keysOf), message);
    const look = (given: Pod, after: number, mountProblem?: string) =>
      nextPodStep({ pod: given, now: START + after, hostIPs: [], podIPs: ['10.128.0.2'], mountProblem });
    const first = look(pod, 0, message);
    assert.deepEqual(
      first.events.map(({ type, reason, message: text }) => [type, reason, text]),
      [['Warning', 'FailedMount', message]],
    );
    const waiting = { ...pod, ...(first.status === undefined ? {} : { status: first.status }) };
    const later = look(waiting, 5000, message);
    assert.deepEqual([later.status, later.events, later.lookAgainAfter], [undefined, [], 5000]);
    const started = look(waiting, 10_000).status;
    assert.equal(started?.phase, 'Running');
    assert.deepEqual(neededSources({ ...pod, ...(started === undefined ? {} : { status: started }) }), []);
  });

  const needy = { name: 'c', image: 'img:1', ...variable({ secretKeyRef: { name: 'none', key: 'k' } }) };

  it('is read once for each object, and not for containers that run or pods that have ended', () => {
    const pod = podOn({ containers: [needy, { ...needy, name: 'd' }] });
    assert.deepEqual(neededSources(pod), [{ kind: 'Secret', name: 'none', withKeys: true }]);
    const running = { ...pod.status, containerStatuses: ['c', 'd'].map((name) => statusOf(name)) };
    assert.deepEqual(neededSources({ ...pod, status: running }), []);
    assert.deepEqual(neededSources({ ...pod, status: { phase: 'Failed' } }), []);
  });

  it('is in the status and in one event, until it is gone', () => {
    const pod = podOn({ containers: [needy] });
    const hold = holdsOf(pod, keysOf);
    const look = (given: Pod, after: number, holds: ReadonlyMap<string, Hold>) =>
      nextPodStep({ pod: given, now: START + after, hostIPs: [], podIPs: ['10.128.0.2'], holds });
    const first = look(pod, 1000, hold);
    const message = 'secret "none" not found';
    assert.deepEqual(first.status?.containerStatuses?.[0]?.state, {
      waiting: { reason: 'CreateContainerConfigError', message },
    });
    assert.deepEqual([first.status?.phase, first.lookAgainAfter], ['Pending', 5000]);
    assert.deepEqual(
      first.events.map(({ type, reason, message: text }) => [type, reason, text]),
      [['Warning', 'Failed', `Error: ${message}`]],
    );
    const held = { ...pod, ...(first.status === undefined ? {} : { status: first.status }) };
    assert.deepEqual([look(held, 6000, hold).status, look(held, 6000, hold).events], [undefined, []]);
    assert.equal(look(held, 11_000, new Map()).status?.phase, 'Running');
  });
});

const statusOf = (name: string) => ({
  name,
  image: '',
  imageID: '',
  ready: true,
  restartCount: 0,
  state: { running: {} },
});
