import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resourceFacts } from '@binnacle/api/table';
import { fieldElement } from '@binnacle/apimachinery/managedfields';
import { fieldRulesOf } from './reset-fields.js';

const RESET_OF_STATUS = ['metadata', 'spec'];

describe('fieldRulesOf', () => {
  const cases: [group: string, resource: string, subresource: string, reset: string[]][] = [
    ['networking.k8s.io', 'servicecidrs', '', ['status']],
    ['networking.k8s.io', 'servicecidrs', 'status', RESET_OF_STATUS],
    ['networking.k8s.io', 'ingresses', 'status', ['spec']],
    ['flowcontrol.apiserver.k8s.io', 'flowschemas', 'status', RESET_OF_STATUS],
  ];
  for (const [group, resource, subresource, reset] of cases) {
    it(`${resource}/${subresource} cannot set ${reset.join(' and ')}`, () => {
      const facts = resourceFacts({ group, version: 'v1', resource });
      assert.ok(facts !== undefined);
      const { resetFields } = fieldRulesOf(facts, subresource);
      for (const field of ['metadata', 'spec', 'status']) {
        assert.equal(resetFields.has([fieldElement(field)]), reset.includes(field), field);
      }
    });
  }
});
