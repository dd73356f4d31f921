import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { ResourceRules } from './read-configuration.js';
import { ResourceTransformers } from './resource-transformers.js';

function transformers(rules: readonly ResourceRules[]): ResourceTransformers {
  return new ResourceTransformers(rules, {
    kms: () => assert.fail('no rule has a key service'),
    observer: { transformed: () => undefined },
    clock: new VirtualClock(),
  });
}

const keyed = (name: string): ResourceRules['providers'] => [
  { type: 'aesgcm', keys: [{ name, secret: new Uint8Array(32) }] },
];

it('the most specific rule decides', () => {
  const all = transformers([
    { resources: ['events'], providers: [{ type: 'identity' }] },
    { resources: ['secrets', 'pandas.bears.example'], providers: keyed('own') },
    { resources: ['*.apps', '*.'], providers: keyed('group') },
    { resources: ['*.*'], providers: keyed('any') },
  ]);
  for (const [group, resource, prefix] of [
    ['', 'events', 'x'],
    ['', 'secrets', 'k8s:enc:aesgcm:v1:own:'],
    ['bears.example', 'pandas', 'k8s:enc:aesgcm:v1:own:'],
    ['example', 'pandas', 'k8s:enc:aesgcm:v1:any:'],
    ['apps', 'deployments', 'k8s:enc:aesgcm:v1:group:'],
    ['', 'pods', 'k8s:enc:aesgcm:v1:group:'],
    ['batch', 'jobs', 'k8s:enc:aesgcm:v1:any:'],
  ] as const) {
    const transformer = all.of({ group, resource });
    const stored = Buffer.from(transformer.write(Buffer.from('x'), { key: '/a', resource })).toString('latin1');
    assert.ok(stored.startsWith(prefix), `${resource}.${group}: ${stored}`);
    assert.equal(transformer.isPlain, false);
  }
});

it('a resource without a rule is stored as it is', () => {
  const value = Buffer.from('x');
  const transformer = transformers([{ resources: ['secrets'], providers: keyed('a') }]).of({
    group: '',
    resource: 'pods',
  });
  assert.equal(transformer.isPlain, true);
  assert.equal(transformer.write(value, { key: '/a', resource: 'pods' }), value);
});

it('several lists of one resource are one list', () => {
  const all = transformers([
    { resources: ['secrets'], providers: keyed('new') },
    { resources: ['secrets'], providers: keyed('old') },
  ]).of({ group: '', resource: 'secrets' });
  const old = transformers([{ resources: ['secrets'], providers: keyed('old') }]).of({
    group: '',
    resource: 'secrets',
  });
  const context = { key: '/a', resource: 'secrets' };
  const value = Buffer.from('x');
  assert.deepEqual(all.read(old.write(value, context), context), { value, isStale: true });
  assert.throws(
    () => all.read(Buffer.from('k8s:enc:aesgcm:v1:other:x'), context),
    /^TransformError: no matching key was found for the provided AES transformer$/,
  );
});
