import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { type AdmissionAttributes, type AdmissionPlugin, Reinvocation } from '../admission/index.js';
import { anonymousUser } from '../authentication/index.js';
import { observedPlugins } from './admission-metrics.js';

const unexpected = () => assert.fail('not expected');
const attributes: AdmissionAttributes = {
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
  namespace: 'default',
  name: 'a',
  object: undefined,
  oldObject: undefined,
  options: undefined,
  versions: { equivalents: () => [], encode: unexpected, document: unexpected, decode: unexpected },
  reinvocation: new Reinvocation(),
  dryRun: false,
  user: anonymousUser,
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  warn: () => undefined,
  annotate: () => undefined,
};

it('an observed plugin does all that the plugin does', async () => {
  const full: Required<AdmissionPlugin> = {
    name: 'full',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE',
    admit: () => Promise.reject(new Error('admit')),
    validate: () => Promise.reject(new Error('validate')),
    createCondition: (_, isRetry) => ({ key: '/a', revision: isRetry ? 2 : 1 }),
    ordersDeletes: () => true,
  };
  const bare: AdmissionPlugin = { name: 'bare', handles: () => true };
  const [observed, other] = observedPlugins([full, bare], new MetricRegistry(), new VirtualClock());
  assert.ok(observed !== undefined && other !== undefined);
  assert.deepEqual(Object.keys(observed).sort(), Object.keys(full).sort());
  assert.deepEqual(Object.keys(other).sort(), Object.keys(bare).sort());
  const { resources } = observed;
  assert.deepEqual([resources, observed.handles('CREATE'), observed.handles('UPDATE')], [['pods'], true, false]);
  await assert.rejects(async () => observed.admit?.(attributes), { message: 'admit' });
  await assert.rejects(async () => observed.validate?.(attributes), { message: 'validate' });
  assert.deepEqual(await observed.createCondition?.(attributes, true), { key: '/a', revision: 2 });
  assert.equal(await observed.ordersDeletes?.(attributes), true);
});
