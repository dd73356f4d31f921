import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { checkUpdate, container, podSpec, texts } from '../rules.testing.js';
import { validatePodEphemeralContainersUpdate } from './ephemeral-containers.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('ephemeral containers can be added and never change', () => {
  const debugger_ = { ...container({ name: 'debug' }), targetContainerName: 'c' };
  const debugged: Pod = { metadata, spec: podSpec({ ephemeralContainers: [debugger_] }) };
  checkUpdate(validatePodEphemeralContainersUpdate, debugged, [
    [
      spec({ ephemeralContainers: [] }),
      ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n'],
    ],
    [
      spec({ ephemeralContainers: [debugger_, { ...debugger_, name: 'c' }] }),
      ['spec.ephemeralContainers[1].name: Duplicate value: "c"'],
    ],
  ]);
  const changed = structuredClone(debugged);
  spec({ ephemeralContainers: [{ ...debugger_, image: 'other' }] })(changed);
  assert.match(
    texts(validatePodEphemeralContainersUpdate(changed, debugged))[0] ?? '',
    /^spec\.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n@@ /,
  );
});

test('ephemeral containers have no fields that concern their restarts, probes or resources, not even empty ones', () => {
  const before: Pod = { metadata, spec: podSpec({}) };
  const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
  for (const [field, value, allowed] of [
    ['restartPolicyRules', [rule], false],
    ['restartPolicyRules', [], false],
    ['restartPolicy', '', false],
    ['ports', [], false],
    ['lifecycle', {}, false],
    ['resizePolicy', [], false],
    ['resources', {}, true],
    ['resources', { limits: { cpu: '1' } }, false],
  ] as const) {
    const after: Pod = { metadata, spec: podSpec({ ephemeralContainers: [{ ...container(), [field]: value }] }) };
    const expected = `spec.ephemeralContainers[0].${field}: Forbidden: cannot be set for an Ephemeral Container`;
    const found = texts(validatePodEphemeralContainersUpdate(after, before));
    assert.equal(found.includes(expected), !allowed, `${field}: ${JSON.stringify(value)}`);
  }
});
