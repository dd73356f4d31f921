import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { disposing } from './disposing.mjs';
import { Issuer } from './issuer.mjs';
import { authority, Cluster, Folder } from './world.mjs';

/** Generous, for machines that are busy. */
const LIMIT_MS = 120_000;

const run = promisify(execFile);
const kubectl = findKubectls().at(-1);

/** The claims of a token of Dex. */
const dex = {
  sub: 'CiQwOGE4Njg0Yi1kYjg4LTRiNzMtOTBhOS0zY2QxNjYxZjU0NjYSBWxvY2Fs',
  at_hash: 'hvC2Xdqz1GdvX_cP-1xoJA',
  email: 'jane@example.com',
  email_verified: true,
  groups: ['dev', 'ops'],
  name: 'jane',
};
/** The claims of a token of Keycloak. */
const keycloak = {
  jti: '4f1d2c7e',
  sub: '9c4f8a51-6f57-4a3c-8a2c-0c1f8b9e1f5d',
  typ: 'ID',
  azp: 'kube',
  acr: '1',
  realm_access: { roles: ['admin', 'offline_access'] },
  preferred_username: 'jane',
  email_verified: false,
};

describe('the flags of OpenID Connect', () => {
  it('name an issuer, its authority, and how claims become users', () =>
    disposing(async (use) => {
      const [issuer, folder] = await Promise.all([use(Issuer.start('/dex')), use(Folder.make())]);
      const basic = {
        oidcIssuerUrl: issuer.url,
        oidcClientId: 'kube',
        oidcCaFile: await folder.write('ca.pem', authority),
      };
      const cluster = await use(Cluster.start(basic));
      const { username, groups } = await cluster.whoami(issuer.token(dex));
      assert.deepEqual([username, groups], [`${issuer.url}#${dex.sub}`, ['system:authenticated']]);
      assert.equal(await cluster.whoami(issuer.token({ ...dex, aud: 'other' })), 401);
      assert.equal(await cluster.whoami(issuer.token(dex, 'RS512')), 401, 'RS256 alone by default');
      const { body } = await cluster.send('GET', '/metrics');
      const counts = body.matchAll(/jwt_authenticator_latency_seconds_count\{.*result="(\w+)"\} (\d+)/g);
      assert.deepEqual(
        Array.from(counts, ([, result, count]) => [result, count]),
        [
          ['success', '1'],
          ['failure', '2'],
        ],
      );

      const mapped = await use(
        Cluster.start({
          ...basic,
          oidcUsernameClaim: 'name',
          oidcUsernamePrefix: 'dex:',
          oidcGroupsClaim: 'groups',
          oidcGroupsPrefix: 'dex:',
          oidcRequiredClaims: ['email=jane@example.com'],
          oidcSigningAlgs: ['RS512,RS384'],
        }),
      );
      const user = await mapped.whoami(issuer.token(dex, 'RS512'));
      assert.deepEqual([user.username, user.groups], ['dex:jane', ['dex:dev', 'dex:ops', 'system:authenticated']]);
      assert.equal(await mapped.whoami(issuer.token(dex)), 401);
      assert.equal(await mapped.whoami(issuer.token({ ...dex, email: 'eve@example.com' }, 'RS512')), 401);
    }));

  it('prefix no mail address, and none at all if the prefix is a dash', () =>
    disposing(async (use) => {
      const [issuer, folder] = await Promise.all([use(Issuer.start('/dex')), use(Folder.make())]);
      const oidcCaFile = await folder.write('ca.pem', authority);
      const basic = { oidcIssuerUrl: issuer.url, oidcClientId: 'kube', oidcCaFile };
      const [mail, bare] = await Promise.all([
        use(Cluster.start({ ...basic, oidcUsernameClaim: 'email' })),
        use(Cluster.start({ ...basic, oidcUsernamePrefix: '-' })),
      ]);
      assert.equal((await mail.whoami(issuer.token(dex))).username, dex.email);
      assert.equal(await mail.whoami(issuer.token({ ...dex, email_verified: false })), 401);
      assert.equal((await bare.whoami(issuer.token(dex))).username, dex.sub);
    }));

  it('accept no token of an issuer that cannot be verified or reached', () =>
    disposing(async (use) => {
      const [issuer, folder] = await Promise.all([use(Issuer.start('/dex')), use(Folder.make())]);
      const basic = { oidcIssuerUrl: issuer.url, oidcClientId: 'kube' };
      const oidcCaFile = await folder.write('ca.pem', authority);
      const [unknown, denied] = await Promise.all([
        use(Cluster.start(basic)),
        use(Cluster.start({ ...basic, oidcCaFile, egressDenyCidrs: '127.0.0.0/8' })),
      ]);
      assert.equal(await unknown.whoami(issuer.token(dex)), 401);
      assert.equal(await denied.whoami(issuer.token(dex)), 401);
      assert.deepEqual(issuer.service.requests, []);
      assert.equal((await denied.whoami()).username, 'kubernetes-admin');
    }));
});

describe('a plugin that logs in', { skip: kubectl === undefined && 'there is no kubectl' }, () => {
  it('gives kubectl its tokens, as kubelogin does', () =>
    disposing(async (use) => {
      const [issuer, folder] = await Promise.all([use(Issuer.start('/dex')), use(Folder.make())]);
      const oidcCaFile = await folder.write('ca.pem', authority);
      const { server } = await use(Cluster.start({ oidcIssuerUrl: issuer.url, oidcClientId: 'kube', oidcCaFile }));
      const credential = {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: issuer.token(dex), expirationTimestamp: new Date(Date.now() + 3_600_000).toISOString() },
      };
      const plugin = await folder.write('login.mjs', `console.log(${JSON.stringify(JSON.stringify(credential))})`);
      const { apiVersion } = credential;
      const exec = { apiVersion, command: process.execPath, args: [plugin], interactiveMode: 'IfAvailable' };
      const ca = Buffer.from(server.clientConfig.certificateAuthority).toString('base64');
      const KUBECONFIG = await folder.write('kubeconfig', {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'it', cluster: { server: server.url, 'certificate-authority-data': ca } }],
        users: [{ name: 'oidc', user: { exec } }],
        contexts: [{ name: 'it', context: { cluster: 'it', user: 'oidc' } }],
        'current-context': 'it',
      });
      const env = { ...process.env, HOME: folder.path, KUBECONFIG };
      const { stdout } = await run(kubectl.path, ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], {
        env,
      });
      assert.equal(stdout, `${issuer.url}#${dex.sub}`);
    }));
});

describe('an AuthenticationConfiguration', () => {
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
  const configuration = (issuer, username) => ({
    ...head,
    jwt: [
      {
        issuer: { url: issuer.url, audiences: ['kube'], certificateAuthority: authority },
        claimMappings: {
          username: { expression: username },
          groups: { expression: 'claims.realm_access.roles.filter(role, role != "offline_access")' },
          extra: [{ key: 'example.org/class', valueExpression: 'claims.acr' }],
        },
      },
    ],
  });

  it('maps the claims of a realm, and is read again when it changes', () =>
    disposing(async (use) => {
      const [issuer, folder] = await Promise.all([use(Issuer.start('/realms/main')), use(Folder.make())]);
      const write = (username) => folder.write('config.json', configuration(issuer, username));
      const cluster = await use(Cluster.start({ authenticationConfig: await write('claims.preferred_username') }));
      const token = issuer.token(keycloak);
      assert.deepEqual(await cluster.whoami(token), {
        username: 'jane',
        groups: ['admin', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': ['JTI=4f1d2c7e'],
          'example.org/class': ['1'],
        },
      });
      await write('"keycloak:" + claims.preferred_username');
      for (const end = Date.now() + LIMIT_MS; ; await pause(100)) {
        const { username } = await cluster.whoami(token);
        if (username === 'keycloak:jane') break;
        assert.ok(username === 'jane' && Date.now() < end, username);
      }
    }));

  it('lets requests be anonymous at the paths of its conditions alone', () =>
    disposing(async (use) => {
      const folder = await use(Folder.make());
      const open = { ...head, anonymous: { enabled: true, conditions: [{ path: '/livez' }] } };
      const closed = { ...head, anonymous: { enabled: false } };
      const statuses = async (name, file) => {
        const cluster = await use(Cluster.start({ authenticationConfig: await folder.write(name, file) }));
        const answers = ['/livez', '/version'].map((path) => cluster.send('GET', path, undefined, { token: null }));
        return (await Promise.all(answers)).map(({ status }) => status);
      };
      assert.deepEqual(await statuses('open.json', open), [200, 401]);
      assert.deepEqual(await statuses('closed.json', closed), [401, 401]);
    }));

  it('discovers an issuer at its discoveryURL', () =>
    disposing(async (use) => {
      const named = 'https://issuer.invalid/realm';
      const [issuer, folder] = await Promise.all([use(Issuer.start('/inside', named)), use(Folder.make())]);
      const file = (more) => ({
        ...head,
        jwt: [
          {
            issuer: { url: named, audiences: ['kube'], certificateAuthority: authority, ...more },
            claimMappings: { username: { claim: 'sub', prefix: '' } },
          },
        ],
      });
      const authenticationConfig = await folder.write('config.json', file({ discoveryURL: issuer.discoveryUrl }));
      const cluster = await use(Cluster.start({ authenticationConfig }));
      assert.equal((await cluster.whoami(issuer.token(keycloak))).username, keycloak.sub);
      assert.equal(issuer.service.requests[0]?.path, '/inside/.well-known/openid-configuration');
    }));
});
