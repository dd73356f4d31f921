import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeTestCertificate } from '../../packages/apiserver/dist/testing/test-certificate.js';
import { disposing } from './disposing.mjs';
import { Cluster, Folder, Service } from './world.mjs';

const TOKEN = 'abcdef.0123456789abcdef';
const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abcdef' },
  stringData: {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
  },
};

describe('requests without credentials', () => {
  it('are anonymous unless --anonymous-auth is false', () =>
    disposing(async (use) => {
      const [open, closed] = await Promise.all([use(Cluster.start()), use(Cluster.start({ anonymousAuth: false }))]);
      assert.equal((await open.send('GET', '/version', undefined, { token: null })).status, 200);
      assert.equal((await closed.send('GET', '/version', undefined, { token: null })).status, 401);
      assert.equal((await closed.send('GET', '/version')).status, 200);
    }));
});

describe('a bootstrap token', () => {
  it('is accepted with --enable-bootstrap-token-auth, until its Secret is deleted', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start({ enableBootstrapTokenAuth: true }));
      await cluster.create(SECRETS, secret);
      const { username, groups } = await cluster.whoami(TOKEN);
      assert.deepEqual(
        [username, groups],
        ['system:bootstrap:abcdef', ['system:bootstrappers', 'system:authenticated']],
      );
      await cluster.send('DELETE', `${SECRETS}/bootstrap-token-abcdef`);
      assert.equal(await cluster.whoami(TOKEN), 401);
    }));

  it('is unknown without the flag', () =>
    disposing(async (use) => {
      const cluster = await use(Cluster.start());
      await cluster.create(SECRETS, secret);
      assert.equal(await cluster.whoami(TOKEN), 401);
    }));
});

describe('a token webhook', () => {
  const answer = ({ body }) => ({
    apiVersion: body.apiVersion,
    kind: 'TokenReview',
    status: { authenticated: body.spec.token === 'good', user: { username: 'jane' } },
  });

  it('is asked with the credentials of its kubeconfig, by default in v1beta1 and once in two minutes', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(answer)), use(Folder.make())]);
      const { certificate, privateKey } = makeTestCertificate('/CN=api');
      const file = await folder.kubeconfig('webhook.json', `${service.url}/tokens`, {
        tokenFile: await folder.write('token', 'shared'),
        'client-certificate': await folder.write('client.pem', certificate),
        'client-key': await folder.write('client.key', privateKey),
      });
      const cluster = await use(Cluster.start({ authenticationTokenWebhookConfigFile: file }));
      for (let time = 0; time < 3; time++) assert.equal((await cluster.whoami('good')).username, 'jane');
      assert.equal(await cluster.whoami('bad'), 401);
      const [first, second, ...more] = service.requests;
      assert.deepEqual([first.method, first.path, first.client], ['POST', '/tokens?timeout=30s', 'api']);
      assert.equal(first.headers.authorization, 'Bearer shared');
      assert.deepEqual(first.body.apiVersion, 'authentication.k8s.io/v1beta1');
      assert.deepEqual(
        [first, second].map(({ body }) => body.spec.token),
        ['good', 'bad'],
      );
      assert.deepEqual(more, []);
    }));

  it('is asked in the version and as often as the flags say, for the audiences of the server', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(answer)), use(Folder.make())]);
      const cluster = await use(
        Cluster.start({
          authenticationTokenWebhookConfigFile: await folder.kubeconfig('webhook.json', service.url),
          authenticationTokenWebhookVersion: 'v1',
          authenticationTokenWebhookCacheTtlMs: 0,
          apiAudiences: 'one,two',
        }),
      );
      for (let time = 0; time < 2; time++) assert.equal((await cluster.whoami('good')).username, 'jane');
      assert.deepEqual(
        service.requests.map(({ body }) => [body.apiVersion, body.spec.audiences]),
        [1, 2].map(() => ['authentication.k8s.io/v1', ['one', 'two']]),
      );
    }));

  it('is not called on a denied network, and its failure leaves other tokens valid', () =>
    disposing(async (use) => {
      const [service, folder] = await Promise.all([use(Service.start(answer)), use(Folder.make())]);
      const cluster = await use(
        Cluster.start({
          authenticationTokenWebhookConfigFile: await folder.kubeconfig('webhook.json', service.url),
          egressDenyCidrs: '127.0.0.0/8',
        }),
      );
      assert.equal(await cluster.whoami('good'), 401);
      assert.deepEqual(service.requests, []);
      assert.equal((await cluster.whoami()).username, 'kubernetes-admin');
    }));
});
