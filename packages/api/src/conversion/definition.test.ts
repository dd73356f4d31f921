import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { canConvert, convert } from './convert.js';

const old = { group: 'apiextensions.k8s.io', version: 'v1beta1', kind: 'CustomResourceDefinition' };
const current = { ...old, version: 'v1' };
const names = { plural: 'things', kind: 'Thing' };
const schema = { openAPIV3Schema: { type: 'object' } };

function specOf(spec: JsonObject): unknown {
  const { apiVersion, ...rest } = convert({ apiVersion: 'apiextensions.k8s.io/v1beta1', spec }, old, current);
  assert.equal(apiVersion, 'apiextensions.k8s.io/v1');
  return rest['spec'];
}

describe('custom resource definition conversion from v1beta1', () => {
  it('copies top-level settings to every version', () => {
    const spec = {
      group: 'example.com',
      names,
      scope: 'Cluster',
      version: 'v1',
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ],
      validation: schema,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'Size', type: 'string', JSONPath: '.spec.size' }],
      selectableFields: [{ jsonPath: '.spec.size' }],
      conversion: { strategy: 'None' },
      preserveUnknownFields: false,
    };
    const shared = {
      schema,
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      selectableFields: [{ jsonPath: '.spec.size' }],
    };
    assert.deepEqual(specOf(spec), {
      group: 'example.com',
      names,
      scope: 'Cluster',
      versions: [
        { name: 'v1', served: true, storage: true, ...shared },
        { name: 'v2', served: true, storage: false, ...shared },
      ],
      conversion: { strategy: 'None' },
    });
  });

  it("keeps each version's own settings", () => {
    const versions = [
      { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns: [{ JSONPath: '.a' }] },
    ];
    assert.deepEqual(specOf({ scope: 'Namespaced', version: 'v1', versions, preserveUnknownFields: false }), {
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns: [{ jsonPath: '.a' }] }],
    });
  });

  it('spells out the defaults of v1beta1', () => {
    assert.deepEqual(specOf({ version: 'v1' }), {
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true }],
      preserveUnknownFields: true,
    });
  });

  it('moves the webhook under its own field', () => {
    const conversionOf = (conversion: JsonObject): unknown => {
      const spec = specOf({ version: 'v1', conversion });
      assert.ok(spec !== null && typeof spec === 'object' && 'conversion' in spec);
      return spec.conversion;
    };
    const clientConfig = { url: 'https://example.com' };
    assert.deepEqual(
      conversionOf({ strategy: 'Webhook', webhookClientConfig: clientConfig, conversionReviewVersions: ['v1'] }),
      { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    );
    assert.deepEqual(conversionOf({ strategy: 'Webhook', webhookClientConfig: clientConfig }), {
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: ['v1beta1'] },
    });
    assert.deepEqual(conversionOf({ strategy: 'None' }), { strategy: 'None' });
  });

  it('has no conversion back', () => assert.equal(canConvert(current, old), false));
});
