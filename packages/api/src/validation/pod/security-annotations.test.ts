import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { container, podSpec, template, texts } from '../rules.testing.js';
import { validatePod } from './pod.js';
import { validatePodEphemeralContainersUpdate } from './ephemeral-containers.js';
import { validatePodResize } from './resize.js';
import { validatePodTemplate } from './template.js';
import { validatePodStatusUpdate } from './status.js';
import { validatePodUpdate } from './update.js';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const POD_SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';

const pod = (annotations: Record<string, string>, fields: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1', annotations },
  spec: podSpec(fields),
  status: { qosClass: 'BestEffort' },
});
const profiles = (fields: PodSpec['securityContext']): Partial<PodSpec> => ({
  containers: [container({ securityContext: fields as never })],
});

const created: readonly [string, Pod, readonly string[]][] = [
  ['each known profile', pod({ [`${APP_ARMOR}c`]: 'runtime/default', [POD_SECCOMP]: 'docker/default' }), []],
  [
    'no such profile or container',
    pod({ [`${APP_ARMOR}d`]: 'bad' }),
    [
      `metadata.annotations[${APP_ARMOR}d]: Invalid value: "d": container not found`,
      `metadata.annotations[${APP_ARMOR}d]: Invalid value: "bad": invalid AppArmor profile name: "bad"`,
    ],
  ],
  [
    'no seccomp profile',
    pod({ [POD_SECCOMP]: 'bad', [`${SECCOMP}c`]: 'localhost/../x' }),
    [
      `metadata.annotations.${POD_SECCOMP}: Invalid value: "bad": must be a valid seccomp profile`,
      `metadata.annotations.${SECCOMP}c: Invalid value: "../x": must not contain '..'`,
    ],
  ],
  [
    'another AppArmor type than the field',
    pod({ [`${APP_ARMOR}c`]: 'unconfined' }, profiles({ appArmorProfile: { type: 'RuntimeDefault' } })),
    [
      'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
    ],
  ],
  [
    'another local AppArmor profile than the field',
    pod(
      { [`${APP_ARMOR}c`]: 'localhost/a' },
      profiles({ appArmorProfile: { type: 'Localhost', localhostProfile: 'b' } }),
    ),
    [
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ],
  ],
  [
    'another seccomp type than the fields',
    pod(
      { [POD_SECCOMP]: 'unconfined', [`${SECCOMP}c`]: 'unconfined' },
      {
        ...profiles({ seccompProfile: { type: 'RuntimeDefault' } }),
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      },
    ),
    [
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      'spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ],
  ],
];

for (const [what, object, expected] of created) {
  test(`security annotations of a new pod: ${what}`, () => assert.deepEqual(texts(validatePod(object)), expected));
}

test('templates follow the same rules', () => {
  const given = { ...template(), metadata: { labels: { a: 'b' }, annotations: { [`${APP_ARMOR}c`]: 'bad' } } };
  assert.deepEqual(texts(validatePodTemplate(given, 'spec.template')), [
    `spec.template.annotations[${APP_ARMOR}c]: Invalid value: "bad": invalid AppArmor profile name: "bad"`,
  ]);
});

test('AppArmor annotations of a pod are immutable in both of their forms', () => {
  const key = `${APP_ARMOR}c`;
  const at = `metadata.annotations[${key}]: Forbidden: may not`;
  const rules = [validatePodUpdate, validatePodStatusUpdate, validatePodEphemeralContainersUpdate];
  const bare = pod({});
  const profiled = pod({ [key]: 'runtime/default' });
  for (const rule of rules) {
    const say = (object: Pod, old: Pod) => texts(rule(structuredClone(object), old));
    assert.deepEqual(say(pod({ [key]: 'unconfined' }), bare), [`${at} add AppArmor annotations`]);
    assert.deepEqual(say(pod({ [key]: 'unconfined' }), profiled), [`${at} remove or update AppArmor annotations`]);
    assert.deepEqual(say(bare, profiled), [`${at} remove or update AppArmor annotations`]);
    assert.deepEqual(say(profiled, profiled), []);
  }
  assert.deepEqual(texts(validatePodResize(profiled, profiled)), []);
});
