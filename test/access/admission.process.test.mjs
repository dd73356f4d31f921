import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disposing } from './disposing.mjs';
import { authority, Cluster, Folder, Service } from './world.mjs';

const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
const pod = (spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'p-' },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

/** A server without the plugin that needs service accounts, and with the configuration of one more. */
async function clusterWith(use, name, configuration, options = {}) {
  const folder = await use(Folder.make());
  await folder.write('plugin.json', configuration);
  const admissionControlConfigFile = await folder.write('admission.yaml', {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name, path: 'plugin.json' }],
  });
  const disableAdmissionPlugins = 'ServiceAccount';
  return use(Cluster.start({ admissionControlConfigFile, disableAdmissionPlugins, ...options }));
}

const messageOf = ({ status, body }) => [status, body.message];

describe('--admission-control-config-file', () => {
  it('sets the defaults and exemptions of PodSecurity', () =>
    disposing(async (use) => {
      const cluster = await clusterWith(use, 'PodSecurity', {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: { enforce: 'baseline' },
        exemptions: { usernames: ['jane'] },
      });
      const bad = pod({ hostNetwork: true });
      const refused = await cluster.send('POST', PODS, bad);
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /violates PodSecurity "baseline:latest": host namespaces/);
      await cluster.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      });
      assert.equal((await cluster.send('POST', PODS, bad, { as: 'jane' })).status, 201);
    }));

  it('limits events', () =>
    disposing(async (use) => {
      const limits = [{ type: 'Namespace', qps: 1, burst: 1 }];
      const cluster = await clusterWith(
        use,
        'EventRateLimit',
        { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits },
        { enableAdmissionPlugins: 'EventRateLimit' },
      );
      const metadata = { generateName: 'e-', namespace: 'default' };
      const event = { apiVersion: 'v1', kind: 'Event', metadata, involvedObject: { namespace: 'default' } };
      const create = () => cluster.send('POST', '/api/v1/namespaces/default/events', event);
      const answers = await Promise.all(Array.from({ length: 20 }, create));
      assert.ok(answers.some(({ status }) => status === 201));
      const limited = answers.find(({ status }) => status === 429);
      assert.equal(limited?.body.message, 'Too many requests: limit reached on type Namespace for key default');
      assert.equal(limited?.body.reason, 'TooManyRequests');
    }));

  it('asks a service about images', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([
        use(
          Service.start(({ body: { apiVersion, kind, spec } }) => {
            const allowed = spec.containers[0].image !== 'evil';
            return { apiVersion, kind, status: { allowed, ...(allowed ? {} : { reason: 'not scanned' }) } };
          }),
        ),
        use(Folder.make()),
      ]);
      const kubeConfigFile = await folder.kubeconfig('images.json', `${service.url}/images`, { token: 't' });
      const configuration = { imagePolicy: { kubeConfigFile, defaultAllow: false } };
      const cluster = await clusterWith(use, 'ImagePolicyWebhook', configuration, {
        enableAdmissionPlugins: 'ImagePolicyWebhook',
      });
      await cluster.create(PODS, pod());
      const evil = pod({ containers: [{ name: 'c', image: 'evil' }] });
      const [status, message] = messageOf(await cluster.send('POST', PODS, evil));
      assert.equal(status, 403);
      assert.match(message, /image policy webhook backend denied one or more images: not scanned$/);
      assert.deepEqual(
        service.requests.map(({ path, headers, body }) => [path, headers.authorization, body.spec.namespace]),
        ['nginx', 'evil'].map(() => ['/images?timeout=30s', 'Bearer t', 'default']),
      );
    }));

  it('requires a quota for limited resources', () =>
    disposing(async (use) => {
      const cluster = await clusterWith(use, 'ResourceQuota', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'ResourceQuotaConfiguration',
        limitedResources: [{ resource: 'configmaps', matchContains: ['count/'] }],
      });
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
      assert.deepEqual(messageOf(await cluster.send('POST', MAPS, map)), [
        403,
        'configmaps "a" is forbidden: insufficient quota to consume: count/configmaps',
      ]);
    }));

  it('places pods by PodNodeSelector and PodTolerationRestriction', () =>
    disposing(async (use) => {
      const enableAdmissionPlugins = 'PodNodeSelector,PodTolerationRestriction';
      const selecting = await clusterWith(
        use,
        'PodNodeSelector',
        { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'env=dev' } },
        { enableAdmissionPlugins },
      );
      assert.deepEqual((await selecting.create(PODS, pod())).spec.nodeSelector, { env: 'dev' });
      const tolerating = await clusterWith(
        use,
        'PodTolerationRestriction',
        {
          apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
          kind: 'Configuration',
          default: [{ key: 'team', operator: 'Exists' }],
        },
        { enableAdmissionPlugins },
      );
      const { tolerations } = (await tolerating.create(PODS, pod())).spec;
      assert.ok(tolerations.some(({ key }) => key === 'team'));
    }));

  it('gives this server credentials for webhooks', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([
        use(
          Service.start(({ body: { apiVersion, kind, request } }) => ({
            apiVersion,
            kind,
            response: { uid: request.uid, allowed: true },
          })),
        ),
        use(Folder.make()),
      ]);
      const host = new URL(service.url).host;
      const kubeConfigFile = await folder.write('hooks.json', {
        apiVersion: 'v1',
        kind: 'Config',
        users: [
          { name: host, user: { token: 'for-this-host' } },
          { name: '*', user: { token: 'for-others' } },
        ],
      });
      const cluster = await clusterWith(use, 'ValidatingAdmissionWebhook', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'WebhookAdmissionConfiguration',
        kubeConfigFile,
      });
      await cluster.create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'hook' },
        webhooks: [
          {
            name: 'hook.example.org',
            clientConfig: { url: `${service.url}/hook`, caBundle: Buffer.from(authority).toString('base64') },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
          },
        ],
      });
      await cluster.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
      assert.deepEqual(
        service.requests.map(({ headers }) => headers.authorization),
        ['Bearer for-this-host'],
      );
    }));

  it('is checked at the start', () =>
    disposing(async (use) => {
      const configuration = { apiVersion: 'v1', kind: 'Nonsense' };
      await assert.rejects(clusterWith(use, 'PodSecurity', configuration), (error) => {
        assert.match(
          error.message,
          /^--admission-control-config-file \/.*: couldn't init admission plugin "PodSecurity": /,
        );
        return true;
      });
    }));

  it('is needed by EventRateLimit', () =>
    assert.rejects(
      Cluster.start({ enableAdmissionPlugins: 'EventRateLimit' }),
      /configure it with --admission-control-config-file/,
    ));
});

describe('OwnerReferencesPermissionEnforcement', () => {
  it('asks for the right to set finalizers of owners', () =>
    disposing(async (use) => {
      const enableAdmissionPlugins = 'OwnerReferencesPermissionEnforcement';
      const cluster = await use(Cluster.start({ enableAdmissionPlugins }));
      const { uid } = (await cluster.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } }))
        .metadata;
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await cluster.create(`${rbac}/clusterroles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'maps' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
      });
      await cluster.create(`${rbac}/clusterrolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      });
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
      const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', ownerReferences: [owner] } };
      const what =
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
      assert.deepEqual(messageOf(await cluster.send('POST', MAPS, owned, { as: 'jane' })), [
        403,
        `configmaps "owned" is forbidden: ${what}: , <nil>`,
      ]);
      await cluster.create(MAPS, owned);
    }));
});
