import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked } from './requests.testing.js';
import { patternMatches, ruleAllows } from './rule-match.js';
import { parseRule } from './rule-table.js';

// Upstream's tables are in `plugin/pkg/auth/authorizer/rbac/rbac_test.go`.
describe('ruleAllows', () => {
  const cases: readonly (readonly [rule: string, request: string, allowed: boolean])[] = [
    ['get | core | pods', 'get core/pods', true],
    ['get | core | pods', 'list core/pods', false],
    ['get | core | pods', 'get apps/pods', false],
    ['get | core | pods', 'get core/pods/log', false],
    ['get | core | pods/log', 'get core/pods/log', true],
    ['get | core | pods/log', 'get core/pods', false],
    ['* | * | *', 'frob x/y/z', true],
    ['* | apps | deployments', 'frob apps/deployments', true],
    ['* | apps | deployments', 'frob batch/deployments', false],
    ['* | apps | deployments', 'frob apps/jobs', false],
    ['get | * | deployments', 'get batch/deployments', true],
    ['get | * | deployments', 'get batch/jobs', false],
    ['get | * | deployments', 'list batch/deployments', false],
    ['get | apps | *', 'get apps/jobs', true],
    ['get | apps | *', 'get apps/jobs/status', true],
    ['get | apps | *', 'get batch/jobs', false],
    ['get | apps | *', 'list apps/jobs', false],
    ['get list | apps batch | jobs pods', 'get apps/jobs', true],
    ['get list | apps batch | jobs pods', 'list batch/pods', true],
    ['get list | apps batch | jobs pods', 'watch batch/pods', false],
    ['* | * | jobs/status', 'frob batch/jobs/status', true],
    ['* | * | jobs/status', 'frob batch/jobs/scale', false],
    ['* | * | jobs/status', 'frob batch/pods/status', false],
    ['* | * | pods/status */scale', 'get core/pods/status', true],
    ['* | * | pods/status */scale', 'get core/pods/scale', true],
    ['* | * | pods/status */scale', 'get core/pods', false],
    ['get | * | */scale', 'get apps/deployments/scale', true],
    ['get | * | */scale', 'get apps/deployments/status', false],
    ['get | * | */scale', 'get apps/deployments', false],
    ['get | core | secrets | one two', 'get core/secrets n two', true],
    ['get | core | secrets | one', 'get core/secrets n three', false],
    ['get | core | secrets | one', 'get core/secrets n', false],
    ['get | /healthz /apis/*', 'get /apis/apps/v1', true],
    ['get | /healthz /apis/*', 'get /apis', false],
    ['get | /healthz /apis/*', 'get /healthz', true],
    ['get | /apis/*', 'get /apis/apps/v1/pods', true],
    ['get | /apis/*', 'get /notapis/apps', false],
    ['get | /apis/*', 'post /apis/apps', false],
    ['* | /apis /apis/apps/v1', 'post /apis', true],
    ['* | /apis /apis/apps/v1', 'post /apis/apps', false],
    ['* | /apis /apis/apps/v1', 'post /apis/apps/v1', true],
    ['get | *', 'get /anything', true],
    ['get | *', 'post /anything', false],
    ['get | *', 'get core/pods', false],
    ['get | * | *', 'get /anything', false],
  ];
  for (const [rule, request, allowed] of cases) {
    it(`${rule} ${allowed ? 'allows' : 'does not allow'} ${request}`, () => {
      assert.equal(ruleAllows(parseRule(rule), asked(request)), allowed);
    });
  }
});

// Upstream's table is in component-helpers `auth/rbac/validation/policy_comparator_test.go`.
describe('patternMatches', () => {
  const cases: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
    ['*', '', true],
    ['*', '/', true],
    ['*', '/api', true],
    ['/*', '', false],
    ['/*', '/', true],
    ['/*', '/foo', true],
    ['/api', '/api', true],
    ['/apis', '/api', false],
    ['/api/v1', '/api', false],
    ['/api/*', '/api/v1', true],
    ['/api/*', '/api', false],
    ['/api**', '/api/v1', true],
    ['/api/*/*', '/api/v1', false],
    ['/api/*/*', '/api/*/v1', true],
    ['/*/v1/*', '/api/v1', false],
    ['/*/v1', '/api/v1', false],
  ];
  for (const [pattern, path, matches] of cases) {
    it(`${pattern} ${matches ? 'matches' : 'does not match'} "${path}"`, () => {
      assert.equal(patternMatches(pattern, path), matches);
    });
  }
});
