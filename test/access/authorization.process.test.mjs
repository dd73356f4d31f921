import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { disposing } from './disposing.mjs';
import { Cluster, Folder, Service } from './world.mjs';

const MAPS = '/api/v1/namespaces/default/configmaps';
/** Generous, for machines that are busy. */
const LIMIT_MS = 120_000;

/** The status of a list of ConfigMaps by a user. */
const listAs = async (cluster, as) => (await cluster.send('GET', MAPS, undefined, { as })).status;

/** A service that allows what this user does. */
const allowing =
  (user) =>
  ({ body }) => ({
    apiVersion: body.apiVersion,
    kind: 'SubjectAccessReview',
    status: { allowed: body.spec.user === user },
  });

describe('--authorization-mode', () => {
  it('chooses the authorizers, and none of them binds system:masters', () =>
    disposing(async (use) => {
      for (const [authorizationMode, status] of [
        [undefined, 403],
        ['RBAC', 403],
        ['AlwaysDeny', 403],
        ['AlwaysDeny,AlwaysAllow', 200],
      ]) {
        const cluster = await use(Cluster.start({ authorizationMode }));
        assert.equal(await listAs(cluster, 'jane'), status, authorizationMode);
        assert.equal(await listAs(cluster), 200);
      }
    }));

  it('leaves out RBAC and Node where they are not named', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start({ authorizationMode: 'AlwaysDeny' }));
      const binding = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      };
      await cluster.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
      assert.equal(await listAs(cluster, 'jane'), 403);
    }));

  it('ABAC allows what a line of the policy file allows', () =>
    disposing(async (use) => {
      const folder = await use(Folder.make());
      const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';
      const spec = { user: 'jane', namespace: 'default', resource: 'configmaps', apiGroup: '*', readonly: true };
      const file = await folder.write('policies', JSON.stringify({ apiVersion, kind: 'Policy', spec }));
      const cluster = await use(Cluster.start({ authorizationMode: 'ABAC', authorizationPolicyFile: file }));
      assert.deepEqual([await listAs(cluster, 'jane'), await listAs(cluster, 'eve')], [200, 403]);
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
      assert.equal((await cluster.send('POST', MAPS, map, { as: 'jane' })).status, 403);
    }));
});

describe('the authorizer Webhook', () => {
  it('asks by default in v1beta1, and caches both kinds of answers', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(allowing('jane'))), use(Folder.make())]);
      const authorizationWebhookConfigFile = await folder.kubeconfig('hook.json', `${service.url}/ask`, { token: 't' });
      const cluster = await use(Cluster.start({ authorizationMode: 'Webhook', authorizationWebhookConfigFile }));
      for (const as of ['jane', 'eve', 'jane', 'eve'])
        assert.equal(await listAs(cluster, as), as === 'jane' ? 200 : 403);
      assert.deepEqual(
        service.requests.map(({ path, headers, body }) => [
          path,
          headers.authorization,
          body.apiVersion,
          body.spec.user,
        ]),
        ['jane', 'eve'].map((user) => ['/ask?timeout=30s', 'Bearer t', 'authorization.k8s.io/v1beta1', user]),
      );
    }));

  it('asks in the version and as often as the flags say', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(allowing('jane'))), use(Folder.make())]);
      const basic = {
        authorizationMode: 'Webhook',
        authorizationWebhookConfigFile: await folder.kubeconfig('hook.json', service.url),
        authorizationWebhookVersion: 'v1',
      };
      const asked = async (options, as) => {
        service.requests = [];
        const cluster = await use(Cluster.start({ ...basic, ...options }));
        for (let time = 0; time < 2; time++) await listAs(cluster, as);
        return service.requests.map(({ body }) => body.apiVersion);
      };
      const [once, twice] = [1, 2].map((count) => Array(count).fill('authorization.k8s.io/v1'));
      assert.deepEqual(await asked({ authorizationWebhookCacheAuthorizedTtlMs: 0 }, 'jane'), twice);
      assert.deepEqual(await asked({ authorizationWebhookCacheAuthorizedTtlMs: 0 }, 'eve'), once);
      assert.deepEqual(await asked({ authorizationWebhookCacheUnauthorizedTtlMs: 0 }, 'jane'), once);
      assert.deepEqual(await asked({ authorizationWebhookCacheUnauthorizedTtlMs: 0 }, 'eve'), twice);
    }));
});

describe('an AuthorizationConfiguration', () => {
  it('is read again when it changes, and a wrong one leaves the former rules', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(allowing('jane'))), use(Folder.make())]);
      const kubeConfigFile = await folder.kubeconfig('hook.json', service.url);
      const hook = {
        type: 'Webhook',
        name: 'hook',
        webhook: {
          timeout: '5s',
          subjectAccessReviewVersion: 'v1',
          failurePolicy: 'Deny',
          connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
        },
      };
      const write = (...authorizers) =>
        folder.write('config.json', {
          apiVersion: 'apiserver.config.k8s.io/v1',
          kind: 'AuthorizationConfiguration',
          authorizers,
        });
      const until = async (cluster, as, status) => {
        for (const end = Date.now() + LIMIT_MS; (await listAs(cluster, as)) !== status; await pause(100)) {
          assert.ok(Date.now() < end, `waited too long for ${status}`);
        }
      };
      const cluster = await use(Cluster.start({ authorizationConfig: await write({ type: 'RBAC', name: 'rbac' }) }));
      assert.equal(await listAs(cluster, 'jane'), 403);
      await write(hook);
      await until(cluster, 'jane', 200);
      assert.equal(await listAs(cluster, 'eve'), 403);
      await write({ type: 'Other', name: 'other' });
      for (let time = 0; time < 30; time++) assert.equal(await listAs(cluster, 'jane'), 200);
      await write({ type: 'AlwaysAllow', name: 'all' });
      await until(cluster, 'eve', 200);
      const { body } = await cluster.send('GET', '/metrics');
      for (const series of [
        'decisions_total{decision="allowed",name="hook",type="Webhook"}',
        'decisions_total{decision="allowed",name="all",type="AlwaysAllow"}',
        'webhook_evaluations_total{name="hook",result="success"}',
        'webhook_duration_seconds_count{name="hook",result="success"}',
      ])
        assert.ok(body.includes(`\napiserver_authorization_${series} `), series);
      const [, loaded] = /_automatic_reloads_total\{.*,status="success"\} (\d+)\n/.exec(body) ?? [];
      assert.equal(loaded, '2');
      assert.match(body, /\napiserver_impersonation_attempts_total\{decision="allowed",mode="user-info"\} \d+\n/);
    }));
});
