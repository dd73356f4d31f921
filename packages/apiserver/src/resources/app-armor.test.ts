import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppArmorProfile, Pod } from '@binnacle/api/types/core-v1';
import { appArmorWarnings, copyAppArmorAnnotations } from './app-armor.js';

const PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
const deprecated = `metadata.annotations[${PREFIX}c]: deprecated since v1.30; use the "appArmorProfile" field instead`;
const runtime = { type: 'RuntimeDefault' } as const;

function pod(annotation: string, given: { own?: AppArmorProfile; ofPod?: AppArmorProfile; windows?: true } = {}): Pod {
  const { own, ofPod, windows } = given;
  return {
    metadata: { name: 'p', annotations: { [`${PREFIX}c`]: annotation } },
    spec: {
      containers: [
        { name: 'c', ...(own === undefined ? {} : { securityContext: { appArmorProfile: own } }) },
        { name: 'other' },
      ],
      ...(ofPod === undefined ? {} : { securityContext: { appArmorProfile: ofPod } }),
      ...(windows === undefined ? {} : { os: { name: 'windows' } }),
    },
  };
}

const cases: readonly [what: string, given: Pod, profile: AppArmorProfile | undefined, warns: boolean][] = [
  ['unconfined', pod('unconfined'), { type: 'Unconfined' }, true],
  ['runtime/default', pod('runtime/default'), runtime, true],
  ['localhost/x', pod('localhost/x'), { type: 'Localhost', localhostProfile: 'x' }, true],
  ['no name', pod('localhost/'), undefined, true],
  ['a name that validation refuses', pod('localhost/ x'), undefined, true],
  ['a name that is too long', pod(`localhost/${'x'.repeat(4096)}`), undefined, true],
  ['no profile', pod('constructor'), undefined, true],
  ['a field of its own', pod('unconfined', { own: runtime }), runtime, false],
  ['what the whole pod has', pod('runtime/default', { ofPod: runtime }), undefined, false],
  ['another than the whole pod', pod('unconfined', { ofPod: runtime }), { type: 'Unconfined' }, true],
  ['a Windows pod', pod('unconfined', { windows: true }), undefined, false],
];

for (const [what, given, profile, warns] of cases) {
  test(`an AppArmor annotation becomes a field: ${what}`, () => {
    assert.deepEqual(copyAppArmorAnnotations(given), warns ? [deprecated] : []);
    const [container, other] = given.spec?.containers ?? [];
    assert.deepEqual(container?.securityContext?.appArmorProfile, profile);
    assert.equal(other?.securityContext, undefined);
  });
}

test('a template keeps the annotation, with a warning unless the pod has the same profile', () => {
  const warnings = (given: Pod) => {
    const [container] = given.spec?.containers ?? [];
    assert.ok(container !== undefined && given.spec !== undefined);
    return appArmorWarnings(container, given.metadata, given.spec, 'template.');
  };
  assert.deepEqual(warnings(pod('unconfined')), [`template.${deprecated}`]);
  assert.deepEqual(warnings(pod('unconfined', { ofPod: runtime })), [`template.${deprecated}`]);
  assert.deepEqual(warnings(pod('runtime/default', { ofPod: runtime })), []);
  assert.deepEqual(warnings(pod('unconfined', { own: runtime })), []);
});
