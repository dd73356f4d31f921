import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { environmentOf } from './environment.js';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u', labels: { app: 'web' }, annotations: { 'a.b/c': 'note' } },
  spec: { containers: [], nodeName: 'node-0', serviceAccountName: 'robot' },
  status: { hostIP: '10.0.0.1', podIP: '10.1.0.1' },
};

const variablesOf = (env: Container['env']) => environmentOf(pod, { name: 'c', ...(env && { env }) }, 'host');

describe('the environment of a container', () => {
  it('has what a runtime sets', () => {
    assert.deepEqual(Object.fromEntries(variablesOf(undefined)), {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOSTNAME: 'host',
      HOME: '/root',
    });
  });

  const literals: Record<string, string> = {
    a$$b: 'a$b',
    '$(A)/x': 'first/x',
    '$$(A)': '$(A)',
    '$(LATER)': '$(LATER)',
    '$(A': '$(A',
    'cost $5': 'cost $5',
    '$(HOME)': '/root',
  };
  for (const [value, expanded] of Object.entries(literals)) {
    it(`expands ${value}`, () => {
      const variables = variablesOf([
        { name: 'A', value: 'first' },
        { name: 'B', value },
        { name: 'LATER', value: 'x' },
      ]);
      assert.equal(variables.get('B'), expanded);
    });
  }

  it('has an empty value where none is given', () => {
    assert.equal(variablesOf([{ name: 'A' }]).get('A'), '');
  });

  const fields: Record<string, string | undefined> = {
    'metadata.name': 'p',
    'metadata.namespace': 'n',
    'metadata.uid': 'u',
    "metadata.labels['app']": 'web',
    "metadata.labels['none']": '',
    "metadata.annotations['a.b/c']": 'note',
    'spec.nodeName': 'node-0',
    'spec.serviceAccountName': 'robot',
    'status.hostIP': '10.0.0.1',
    'status.podIP': '10.1.0.1',
    toString: undefined,
  };
  for (const [fieldPath, value] of Object.entries(fields)) {
    it(`reads the field ${fieldPath}`, () => {
      assert.equal(variablesOf([{ name: 'A', valueFrom: { fieldRef: { fieldPath } } }]).get('A'), value);
    });
  }

  it('leaves out the values of other objects', () => {
    const variables = variablesOf([{ name: 'A', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } }]);
    assert.equal(variables.has('A'), false);
  });
});
