import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeConfigError, resolveRuntimeConfig } from './runtime-config.js';

const claims = { group: 'resource.k8s.io', version: 'v1beta1', resource: 'resourceclaims' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const statefulSets = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const workloads = { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'workloads' };

test('serves GA by default, not beta or alpha', () => {
  for (const text of [undefined, '', ' , ']) {
    const served = resolveRuntimeConfig(text);
    assert.equal(served.resources.length, 68);
    assert.ok(served.resources.every((each) => each.stability === 'ga'));
    assert.ok(served.serves(pods) && served.serves(deployments) && !served.serves(claims));
  }
});

test('groups and versions follow the served resources', () => {
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

test('levels enable and disable whole stabilities', () => {
  assert.equal(resolveRuntimeConfig('api/all=true').resources.length, 95);
  assert.ok(resolveRuntimeConfig('api/beta=true').serves(claims));
  assert.ok(!resolveRuntimeConfig('api/beta=true').serves(workloads));
  assert.ok(resolveRuntimeConfig('api/alpha=true').serves(workloads));
  assert.ok(!resolveRuntimeConfig('api/ga=false').serves(pods));
  assert.ok(!resolveRuntimeConfig('api/beta=false,api/all=true').serves(claims));
});

test('a version overrides levels and a resource overrides its version, in any order', () => {
  const one = resolveRuntimeConfig('apps/v1/deployments=true,apps/v1=false,api/all=true');
  assert.ok(one.serves(deployments) && !one.serves(statefulSets) && one.serves(pods));
  const two = resolveRuntimeConfig('resource.k8s.io/v1beta1/resourceclaims=true');
  assert.deepEqual(
    two.resources.filter((each) => each.version === 'v1beta1').map((each) => each.resource),
    ['resourceclaims'],
  );
  assert.ok(two.servesVersion({ group: 'resource.k8s.io', version: 'v1beta1' }));
});

test('accepts v1 and api/v1 for the core group', () => {
  for (const key of ['v1', 'api/v1', '/v1']) assert.ok(!resolveRuntimeConfig(`${key}=false`).serves(pods), key);
  assert.ok(!resolveRuntimeConfig('api/v1/pods=false').serves(pods));
});

test('a key without a value enables', () => {
  assert.ok(resolveRuntimeConfig('resource.k8s.io/v1beta1').serves(claims));
});

test('known versions that cannot be served, and unknown resources, have no effect', () => {
  for (const key of ['extensions/v1beta1', 'extensions/v1beta1/daemonsets', 'policy/v1beta1', 'apps/v1/nosuch']) {
    assert.deepEqual(resolveRuntimeConfig(`${key}=true`).resources, resolveRuntimeConfig(undefined).resources, key);
  }
});

test("rejects invalid values with upstream's messages", () => {
  const refused: [string, string][] = [
    ['nosuch.example/v1=true,also.example/v1/things', 'unknown api groups also.example/v1,nosuch.example/v1'],
    ['constructor/__proto__=true', 'unknown api groups constructor/__proto__'],
    ['apps/v9=true', 'group version apps/v9 that has not been registered'],
    ['/v2=true', 'group version v2 that has not been registered'],
    ['v2=true', 'runtime-config invalid key v2'],
    ['=true', 'runtime-config invalid key '],
    ['apps/v1/deployments/status=true', 'runtime-config invalid key apps/v1/deployments/status'],
    [
      'apps/v1/Deployments=true',
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
    ['apps/v1=maybe', 'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
    ['api/all=maybe', 'invalid value api/all=maybe'],
    ['api/beta', 'invalid value api/beta='],
    ['api/all=false', 'invalid runtime-config with only api/all=false'],
  ];
  for (const [text, message] of refused) {
    assert.throws(
      () => resolveRuntimeConfig(text),
      (error) => {
        assert.ok(error instanceof RuntimeConfigError);
        assert.equal(error.message, message);
        return true;
      },
    );
  }
});
