import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { environmentOf } from './environment.js';
import type { Source } from './sources.js';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u', labels: { app: 'web' }, annotations: { 'a.b/c': 'note' } },
  spec: { containers: [], nodeName: 'node-0', serviceAccountName: 'robot' },
  status: { hostIP: '10.0.0.1', podIP: '10.1.0.1' },
};

const base = new Map([['HOME', '/root']]);
const variablesOf = (env: Container['env']) => environmentOf(pod, { name: 'c', ...(env && { env }) }, { base });

describe('the environment of a container', () => {
  it('has what a runtime sets', () => {
    assert.deepEqual(Object.fromEntries(variablesOf(undefined)), { HOME: '/root' });
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

  it('expands names whose end is missing, and many of them, in linear time', () => {
    const open = '$('.repeat(200_000);
    assert.equal(variablesOf([{ name: 'A', value: `$(HOME)${open}$$` }]).get('A'), `/root${open}$`);
  });

  it('leaves names beyond a limit as they are', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({
      name: `A${index}`,
      value: index === 0 ? 'xx' : `$(A${index - 1})$(A${index - 1})`,
    }));
    const variables = variablesOf(doubling);
    assert.equal(variables.get('A10')?.length, 2 ** 11);
    assert.equal(variables.get('A59'), '$(A58)$(A58)');
    const total = [...variables.values()].reduce((sum, { length }) => sum + length, 0);
    assert.ok(total < 3 * 1024 * 1024, String(total));
  });

  it('is refused when no program could have it', () => {
    const big = new Map([['k', 'x'.repeat(1024 * 1024)]]);
    const envFrom = Array.from({ length: 7 }, (_, index) => ({ prefix: `P${index}`, configMapRef: { name: 'm' } }));
    const given = { base, valuesOf: () => big };
    assert.throws(() => environmentOf(pod, { name: 'c', envFrom }, given), /variables of container c are too long/);
    assert.equal(environmentOf(pod, { name: 'c', envFrom: envFrom.slice(0, 5) }, given).size, 6);
  });

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

  const values = new Map([
    ['ConfigMap/m', new Map([['k', 'from m']])],
    ['Secret/s', new Map([['k', 'from s']])],
  ]);
  const parts = {
    base,
    valuesOf: ({ kind, name }: Source) => values.get(`${kind}/${name}`),
    services: new Map([
      ['WEB_SERVICE_HOST', '10.0.0.7'],
      ['OWN', 'service'],
    ]),
  };

  it('has the values of ConfigMaps and Secrets, where the variables of the container come last', () => {
    const container: Container = {
      name: 'c',
      envFrom: [
        { prefix: 'P_', configMapRef: { name: 'm' } },
        { secretRef: { name: 's' } },
        { secretRef: { name: 'none' } },
      ],
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'none', optional: true } } },
        { name: 'P_k', value: 'own, $(k)' },
        { name: 'OWN', value: 'at $(WEB_SERVICE_HOST)' },
      ],
    };
    assert.deepEqual(Object.fromEntries(environmentOf(pod, container, parts)), {
      HOME: '/root',
      P_k: 'own, from s',
      k: 'from s',
      A: 'from m',
      OWN: 'at 10.0.0.7',
      WEB_SERVICE_HOST: '10.0.0.7',
    });
  });

  const resources: Record<string, [string, string | undefined, string | undefined]> = {
    'CPU in cores, rounded up': ['limits.cpu', undefined, '1'],
    'CPU in thousandths': ['limits.cpu', '1m', '250'],
    'memory in Mi': ['requests.memory', '1Mi', '64'],
    nothing: ['limits.memory', undefined, '0'],
    'no such resource': ['cpu', undefined, undefined],
  };
  for (const [title, [resource, divisor, value]] of Object.entries(resources)) {
    it(`counts ${title}`, () => {
      const env = [
        { name: 'A', valueFrom: { resourceFieldRef: { resource, ...(divisor === undefined ? {} : { divisor }) } } },
      ];
      const container = { name: 'c', env, resources: { limits: { cpu: '250m' }, requests: { memory: '64Mi' } } };
      assert.equal(environmentOf(pod, container, { base }).get('A'), value);
    });
  }
});
