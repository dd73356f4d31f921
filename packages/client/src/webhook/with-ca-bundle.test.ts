import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValidatingWebhookConfiguration } from '../kinds/generated/admissionregistration/v1.js';
import type { CustomResourceDefinition } from '../kinds/generated/apiextensions/v1.js';
import { configurationWithCaBundle, definitionWithCaBundle } from './with-ca-bundle.js';

const webhookAt = (name: string, caBundle?: string) => ({
  name,
  clientConfig: { url: `https://${name}`, ...(caBundle === undefined ? {} : { caBundle }) },
  sideEffects: 'None' as const,
  admissionReviewVersions: ['v1'],
});

const configuration = (...webhooks: ReturnType<typeof webhookAt>[]): ValidatingWebhookConfiguration => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'a' },
  webhooks,
});

const definition = (conversion?: CustomResourceDefinition['spec']['conversion']): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [],
    ...(conversion === undefined ? {} : { conversion }),
  },
});

describe('the bundle of an object', () => {
  it('is set in all webhooks of a configuration, or it has it already', () => {
    const changed = configurationWithCaBundle(configuration(webhookAt('x', 'Yg=='), webhookAt('y')), 'YQ==');
    assert.deepEqual(changed, configuration(webhookAt('x', 'YQ=='), webhookAt('y', 'YQ==')));
    assert.equal(configurationWithCaBundle(configuration(webhookAt('x', 'YQ==')), 'YQ=='), undefined);
    assert.equal(configurationWithCaBundle(configuration(), 'YQ=='), undefined);
  });

  it('is set in the conversion of a definition that has a webhook', () => {
    const conversion = (caBundle?: string) => ({
      strategy: 'Webhook' as const,
      webhook: { clientConfig: webhookAt('x', caBundle).clientConfig, conversionReviewVersions: ['v1'] },
    });
    assert.deepEqual(definitionWithCaBundle(definition(conversion()), 'YQ=='), definition(conversion('YQ==')));
    assert.equal(definitionWithCaBundle(definition(conversion('YQ==')), 'YQ=='), undefined);
    assert.equal(definitionWithCaBundle(definition({ strategy: 'None' }), 'YQ=='), undefined);
    assert.equal(definitionWithCaBundle(definition(), 'YQ=='), undefined);
  });
});
