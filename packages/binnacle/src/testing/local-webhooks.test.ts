import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localWebhooks } from './local-webhooks.js';

const address = { url: 'https://127.0.0.1:9443', caBundle: 'YQ==' };
const service = { name: 'foos', namespace: 'default', path: '/foos' };

const configuration = (clientConfig: object, kind = 'ValidatingWebhookConfiguration') => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'foos' },
  webhooks: [{ name: 'foos.example.com', clientConfig: { ...clientConfig }, sideEffects: 'None' }],
});

const definition = (conversion?: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.com' },
  spec: { group: 'example.com', ...(conversion === undefined ? {} : { conversion: { ...conversion } }) },
});

const conversion = (clientConfig: object) => ({ strategy: 'Webhook', webhook: { clientConfig: { ...clientConfig } } });

describe('local webhooks', () => {
  const cases: [name: string, before: object, after: object][] = [
    ['a service', { service }, { url: 'https://127.0.0.1:9443/foos', caBundle: 'YQ==' }],
    ['a service without a path', { service: { name: 'a' } }, { url: 'https://127.0.0.1:9443', caBundle: 'YQ==' }],
    ['a url', { url: 'https://example.com', caBundle: 'old' }, { url: 'https://example.com', caBundle: 'YQ==' }],
  ];
  for (const [name, before, after] of cases) {
    it(`replace ${name}`, () => {
      const { mutating, validating, definitions } = localWebhooks(
        [configuration(before), configuration(before, 'MutatingWebhookConfiguration'), definition(conversion(before))],
        address,
      );
      assert.deepEqual(validating, [configuration(after)]);
      assert.deepEqual(mutating, [configuration(after, 'MutatingWebhookConfiguration')]);
      assert.deepEqual(definitions, [definition(conversion(after))]);
    });
  }

  it('leave out other objects and definitions without a conversion webhook', () => {
    const others = [definition(), definition({ strategy: 'None' }), { apiVersion: 'v1', kind: 'ConfigMap' }];
    assert.deepEqual(localWebhooks(others, address), { mutating: [], validating: [], definitions: [] });
  });
});
