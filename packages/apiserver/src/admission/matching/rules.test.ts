import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuleWithOperations } from '@binnacle/api/types/admissionregistration-v1';
import { type RuleSubject, ruleMatches } from './rules.js';

const all: RuleWithOperations = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };

/** `CREATE apps/v1 deployments/scale in n`; without `in`, no namespace. */
function subject(text: string): RuleSubject {
  const [, operation = '', group = '', version = '', resource = '', subresource = '', namespace = ''] =
    /^(\w+) (?:([\w.]+)\/)?(\w+) (\w+)(?:\/(\w+))?(?: in (\w+))?$/.exec(text) ?? [];
  return {
    operation: operation as RuleSubject['operation'],
    resource: { group, version, resource },
    subresource,
    namespace,
  };
}

const CREATE_POD = 'CREATE v1 pods in n';
const cases: readonly (readonly [rule: RuleWithOperations, request: string, expected: boolean])[] = [
  [{}, CREATE_POD, false],
  [{ operations: ['UPDATE', 'CREATE'] }, CREATE_POD, true],
  [{ operations: ['UPDATE'] }, CREATE_POD, false],
  [{ apiGroups: [''] }, CREATE_POD, true],
  [{ apiGroups: ['apps'] }, CREATE_POD, false],
  [{ apiVersions: ['v2', 'v1'] }, CREATE_POD, true],
  [{ apiVersions: ['v2'] }, CREATE_POD, false],
  [{ resources: ['pods'] }, CREATE_POD, true],
  [{ resources: ['*'] }, CREATE_POD, true],
  [{ resources: ['pods/*'] }, CREATE_POD, true],
  [{ resources: ['pods/status', 'services'] }, CREATE_POD, false],
  [{ resources: ['pods'] }, 'UPDATE v1 pods/status in n', false],
  [{ resources: ['*'] }, 'UPDATE v1 pods/status in n', false],
  [{ resources: ['pods/*'] }, 'UPDATE v1 pods/status in n', true],
  [{ resources: ['*/status'] }, 'UPDATE v1 pods/status in n', true],
  [{ resources: ['*/scale'] }, 'UPDATE v1 pods/status in n', false],
  [{ resources: ['*/*'] }, 'CONNECT v1 pods/exec in n', true],
  [{ scope: '*' }, CREATE_POD, true],
  [{ scope: 'Namespaced' }, CREATE_POD, true],
  [{ scope: 'Cluster' }, CREATE_POD, false],
  [{ scope: 'Cluster' }, 'CREATE v1 nodes', true],
  [{ scope: 'Namespaced' }, 'CREATE v1 nodes', false],
  [{ scope: 'Cluster' }, 'CREATE v1 namespaces in n', true],
  [{ scope: 'Namespaced' }, 'UPDATE v1 namespaces/finalize in n', false],
  [{ scope: 'Galaxy' }, CREATE_POD, false],
];

describe('ruleMatches', () => {
  for (const [rule, request, expected] of cases) {
    it(`${JSON.stringify(rule)} ${expected ? 'matches' : 'does not match'} ${request}`, () => {
      const whole = Object.keys(rule).length === 0 ? rule : { ...all, ...rule };
      assert.equal(ruleMatches(whole, subject(request)), expected);
    });
  }
});
