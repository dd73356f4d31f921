import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeConfigError, resolveRuntimeConfig } from './runtime-config.js';

const claims = { group: 'resource.k8s.io', version: 'v1beta1', resource: 'resourceclaims' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const statefulSets = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const workloads = { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'workloads' };

test('GA is served, beta and alpha are not', () => {
  for (const text of [undefined, '', ' , ']) {
    const served = resolveRuntimeConfig(text);
    assert.equal(served.resources.length, 68);
    assert.ok(served.resources.every((each) => each.stability === 'ga'));
    assert.ok(served.serves(pods) && served.serves(deployments) && !served.serves(claims));
  }
});

test('groups and versions follow what is served', () => {
  const served = resolveRuntimeConfig(undefined);
  assert.equal(served.groups.length, 21);
  assert.equal(served.groups[0]?.group, '');
  assert.equal(served.group('internal.apiserver.k8s.io'), undefined);
  assert.deepEqual(
    served.group('autoscaling')?.versions.map((each) => each.version),
    ['v2', 'v1'],
  );
  const without = resolveRuntimeConfig('autoscaling/v2=false,apps/v1=false');
  assert.equal(without.group('autoscaling')?.preferredVersion, 'v1');
  assert.equal(without.group('apps'), undefined);
  assert.equal(without.servesVersion({ group: 'apps', version: 'v1' }), false);
});

test('levels turn whole stabilities on and off', () => {
  assert.equal(resolveRuntimeConfig('api/all=true').resources.length, 95);
  assert.ok(resolveRuntimeConfig('api/beta=true').serves(claims));
  assert.ok(!resolveRuntimeConfig('api/beta=true').serves(workloads));
  assert.ok(resolveRuntimeConfig('api/alpha=true').serves(workloads));
  assert.ok(!resolveRuntimeConfig('api/ga=false').serves(pods));
  assert.ok(!resolveRuntimeConfig('api/beta=false,api/all=true').serves(claims));
});

test('a version overrides the levels, a resource overrides its version, wherever they stand', () => {
  const one = resolveRuntimeConfig('apps/v1/deployments=true,apps/v1=false,api/all=true');
  assert.ok(one.serves(deployments) && !one.serves(statefulSets) && one.serves(pods));
  const two = resolveRuntimeConfig('resource.k8s.io/v1beta1/resourceclaims=true');
  assert.deepEqual(
    two.resources.filter((each) => each.version === 'v1beta1').map((each) => each.resource),
    ['resourceclaims'],
  );
  assert.ok(two.servesVersion({ group: 'resource.k8s.io', version: 'v1beta1' }));
});

test('the core group goes by v1 and by api/v1', () => {
  for (const key of ['v1', 'api/v1']) assert.ok(!resolveRuntimeConfig(`${key}=false`).serves(pods), key);
  assert.ok(!resolveRuntimeConfig('api/v1/pods=false').serves(pods));
});

test('a key without a value turns on', () => {
  assert.ok(resolveRuntimeConfig('resource.k8s.io/v1beta1').serves(claims));
});

test('what cannot be followed is refused in one sentence', () => {
  const refused: [string, RegExp][] = [
    ['nosuch.example/v1=true', /there is no API group nosuch\.example$/],
    ['apps/v9=true', /there is no API version apps\/v9$/],
    ['apps/v1/Deployments=true', /apps\/v1 has no resource Deployments /],
    ['apps/v1/deployments/status=true', /more parts than group\/version\/resource$/],
    ['v2=true', /there is no API version v2$/],
    ['constructor/__proto__=true', /there is no API group constructor$/],
    ['apps/v1=maybe', /apps\/v1=maybe: the value must be true or false$/],
    ['api/all=maybe', /api\/all=maybe: the value must be true or false$/],
    ['=true', /there is no API version $/],
    ['api/all=false', /leaves nothing to serve$/],
  ];
  for (const [text, message] of refused) {
    assert.throws(
      () => resolveRuntimeConfig(text),
      (error) => {
        assert.ok(error instanceof RuntimeConfigError);
        assert.match(error.message, message);
        return true;
      },
    );
  }
});
