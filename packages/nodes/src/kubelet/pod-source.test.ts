import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podsOfNodes } from './pod-source.js';
import { podOn } from './simulated-pods.testing.js';

describe('the pods of nodes', () => {
  const all = [podOn('node-0', 'web'), podOn('node-1', 'db')];
  const pods = podsOfNodes(
    {
      find: (namespace, name) => all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      ofNode: (node) => all.filter(({ spec }) => spec?.nodeName === node),
    },
    ['node-0'],
  );

  it('are found by their names', () => {
    assert.equal(pods.find('n', 'web'), all[0]);
    assert.equal(pods.find('m', 'web'), undefined);
  });

  it('are none of other nodes', () => {
    assert.equal(pods.find('n', 'db'), undefined);
    assert.deepEqual(pods.ofNode('node-0'), [all[0]]);
    assert.deepEqual(pods.ofNode('node-1'), []);
  });
});
