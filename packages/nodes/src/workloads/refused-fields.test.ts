import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { ImageCommands } from './image-commands.js';
import { imageHolds } from './image-holds.js';
import { fieldHolds, refusedVolume } from './refused-fields.js';

const podWith = (container: Partial<Container>, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'web', ...container }], ...spec },
});

const refused: Record<string, Partial<Container>> = {
  tty: { tty: true },
  volumeDevices: { volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] },
  'a volume at /': { volumeMounts: [{ name: 'v', mountPath: '/a/../..//' }] },
  subPathExpr: { volumeMounts: [{ name: 'v', mountPath: '/a', subPathExpr: '$(HOME)' }] },
  'a zero byte in a path': { volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b\0c' }] },
};
for (const [field, container] of Object.entries(refused)) {
  it(`a container with ${field} waits`, () => {
    const hold = { reason: 'CreateContainerConfigError', message: `process nodes run no containers with ${field}` };
    assert.deepEqual(fieldHolds(podWith(container)).get('c'), hold);
  });
}

it('other containers do not wait', () => {
  assert.equal(fieldHolds(podWith({ livenessProbe: { exec: {} }, tty: false, workingDir: '/' })).size, 0);
});

it('a container whose image has no command waits', () => {
  const images = ImageCommands.parse(['web=x']);
  assert.equal(imageHolds(podWith({}), images).size, 0);
  const hold = imageHolds(podWith({}, { initContainers: [{ name: 'i', image: 'other' }] }), images).get('i');
  assert.equal(hold?.reason, 'ErrImageNeverPull');
  assert.match(
    hold?.message ?? '',
    /^Container image "other" is not present with pull policy of Never\. .*--image-command 'other=COMMAND'$/,
  );
});

it('a pod waits if it has a volume that process nodes do not support', () => {
  assert.equal(refusedVolume(podWith({}, { volumes: [{ name: 'v', emptyDir: {} }] })), undefined);
  assert.match(refusedVolume(podWith({}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] })) ?? '', /hostPath/);
});
