import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { ContainerStates } from './container-states.js';
import { podOn } from './simulated-pods.testing.js';

const container: Container = { name: 'c', image: 'img:1' };

describe('the states of containers', () => {
  it('keep what clients have written, for each container alone', () => {
    const states = new ContainerStates();
    states.of(podOn('node-0', 'web'), container).files.write('/tmp/f', Buffer.from('a'));
    assert.equal(states.of(podOn('node-0', 'web'), container).files.read('/tmp/f').toString(), 'a');
    assert.equal(states.of(podOn('node-0', 'db'), container).files.get('/tmp/f'), undefined);
  });

  it('start with the hostname and the working directory of the container', () => {
    const states = new ContainerStates();
    const plain = states.of(podOn('node-0', 'web'), container);
    assert.deepEqual([plain.hostname, plain.workingDirectory], ['web', '/']);
    const named = states.of(podOn('node-0', 'db', { hostname: 'box' }), { ...container, workingDir: 'srv//x/../app' });
    assert.throws(() => states.of(podOn('node-0', 'long'), { ...container, workingDir: '/a'.repeat(50_000) }), {
      name: 'FileProblem',
    });
    assert.deepEqual([named.hostname, named.workingDirectory], ['box', '/srv/app']);
    assert.equal(named.files.read('/etc/hostname').toString(), 'box\n');
    assert.deepEqual(named.files.get('/srv/app'), { kind: 'directory' });
    assert.equal(named.environment.get('HOSTNAME'), 'box');
  });

  it('keep 16 containers, and drop what has not been used for longest', () => {
    const states = new ContainerStates();
    const isKept = (name: string) => states.of(podOn('node-0', name), container).files.get('/tmp/f') !== undefined;
    for (let index = 0; index < 16; index++) {
      states.of(podOn('node-0', `p${index}`), container).files.write('/tmp/f', Buffer.from('a'));
    }
    assert.equal(isKept('p0'), true);
    assert.equal(isKept('another'), false);
    assert.equal(isKept('p0'), true);
    assert.equal(isKept('p1'), false);
    assert.equal(isKept('p15'), true);
  });
});
