import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/index.js';
import {
  clientConfigOf,
  inClusterConfig,
  KubeconfigError,
  loadConfig,
  mergeKubeconfigs,
  parseKubeconfig,
  type RunOptions,
  type Environment,
  selectContext,
} from './index.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

class FakeEnvironment implements Environment {
  readonly variables: Record<string, string | undefined> = {};
  readonly homeDirectory = '/home/me';
  interactive = false;
  readonly files = new Map<string, string>();
  readonly runs: { command: string; args: readonly string[]; options: RunOptions }[] = [];
  answer: () => string = () => '';

  async readFile(path: string): Promise<string> {
    const text = this.files.get(path);
    if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return text;
  }

  async run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
    this.runs.push({ command, args, options });
    return this.answer();
  }
}

const file = (name: string, user: string, cluster = '') => `
apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster: { server: "https://${name}.example.com", ${cluster} }
users:
- name: ${name}
  user: ${user}
contexts:
- name: ${name}
  context: { cluster: ${name}, user: ${name}, namespace: ns-of-${name} }
`;

describe('kubeconfig files', () => {
  it('are read with decoded data and paths relative to their folder', () => {
    const config = parseKubeconfig(
      file(
        'a',
        `{ client-certificate: certs/a.crt, client-key-data: ${base64('KEY')} }`,
        'certificate-authority: ../ca.crt',
      ),
      '/etc/kube/config',
    );
    assert.equal(config.clusters.get('a')?.certificateAuthority, '/etc/ca.crt');
    assert.equal(config.users.get('a')?.clientCertificate, '/etc/kube/certs/a.crt');
    assert.equal(config.users.get('a')?.clientKeyData, 'KEY');
    assert.equal(config.currentContext, 'a');
  });

  it('name a user to impersonate, and whether answers are compressed', async () => {
    const user = '{ as: jane, as-uid: u, as-groups: [dev], as-user-extra: { team: [blue] } }';
    const config = await clientConfigOf(parseKubeconfig(file('a', user, 'disable-compression: true')));
    assert.deepEqual(config.impersonate, { user: 'jane', uid: 'u', groups: ['dev'], extra: { team: ['blue'] } });
    assert.equal(config.disableCompression, true);
    assert.equal((await clientConfigOf(parseKubeconfig(file('a', '{}')))).disableCompression, false);
  });

  it('report the place of an error', () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['clusters: 1', /^KubeconfigError: f: clusters must be a list$/],
      ['clusters: [{name: a, cluster: {server: 1}}]', /f: clusters\[0\]\.cluster\.server must be a string/],
      ['clusters: [{name: a}, {name: a}]', /f: clusters\[1\]\.name is "a", as another one's is/],
      ['users: [{name: a, user: {client-key-data: "%%%"}}]', /users\[0\]\.user\.client-key-data is not valid base64/],
      ['users: [{name: a, user: {as-groups: [x]}}]', /users\[0\]\.user\.as is missing/],
      [
        'users: [{name: a, user: {exec: {command: c, apiVersion: client.authentication.k8s.io/v1alpha1}}}]',
        /is "client.authentication.k8s.io\/v1alpha1"; supported/,
      ],
      [
        'users: [{name: a, user: {exec: {command: c, apiVersion: client.authentication.k8s.io/v1}}}]',
        /interactiveMode is missing; it must be/,
      ],
      ['apiVersion: v1\nkind: Pod', /is v1 Pod, but a kubeconfig is v1 Config/],
      ['{', /^KubeconfigError: f: yaml: /],
      ['[]', /f: must be an object/],
    ];
    for (const [text, message] of cases) {
      assert.throws(
        () => parseKubeconfig(text, 'f'),
        (error: unknown) => error instanceof KubeconfigError && message.test(String(error)),
        text,
      );
    }
  });

  it('merge by the first entry of each name', () => {
    const merged = mergeKubeconfigs([
      parseKubeconfig('users: [{name: u, user: {token: first}}]', 'one'),
      parseKubeconfig('users: [{name: u, user: {token: second, username: x}}, {name: v}]\ncurrent-context: c', 'two'),
    ]);
    assert.equal(merged.users.get('u')?.token, 'first');
    assert.equal(merged.users.get('u')?.username, undefined);
    assert.deepEqual([...merged.users.keys()], ['u', 'v']);
    assert.equal(merged.currentContext, 'c');
  });

  it('report a missing context with the existing names', () => {
    const config = parseKubeconfig(file('a', '{}'), 'f');
    assert.throws(() => selectContext(config, { context: 'b' }), /f: context "b" does not exist; the contexts are: a$/);
    assert.throws(
      () => selectContext(config, { user: 'x' }),
      /f: user "x" of context "a" does not exist; the users are: a/,
    );
    assert.throws(() => selectContext(parseKubeconfig('{}', 'f')), /no current-context is set.*there are no contexts/);
    assert.equal(selectContext(config).namespace, 'ns-of-a');
    assert.equal(selectContext(config, { namespace: 'n' }).namespace, 'n');
  });
});

describe('loading', () => {
  it('merges the existing files of KUBECONFIG', async () => {
    const environment = new FakeEnvironment();
    environment.variables['KUBECONFIG'] = '/none:/a:/b';
    environment.files.set('/a', file('a', '{ token: t }')).set('/b', file('b', '{ username: u, password: p }'));
    const config = await loadConfig({ environment });
    assert.equal(config.server, 'https://a.example.com');
    assert.equal(config.token, 't');
    assert.equal(config.namespace, 'ns-of-a');
    const other = await loadConfig({ environment, context: 'b' });
    assert.deepEqual([other.server, other.username, other.password], ['https://b.example.com', 'u', 'p']);
  });

  it('falls back to the home directory, then to the pod, then to an error that lists both', async () => {
    const environment = new FakeEnvironment();
    await assert.rejects(
      loadConfig({ environment }),
      /\/home\/me\/.kube\/config does not exist, and this process does not run in a pod/,
    );
    Object.assign(environment.variables, { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' });
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    await assert.rejects(loadConfig({ environment }), /token file .*serviceaccount\/token: does not exist/);
    environment.files.set(`${folder}/token`, 'tok\n').set(`${folder}/ca.crt`, 'CA').set(`${folder}/namespace`, 'mine');
    const config = await loadConfig({ environment });
    assert.deepEqual(
      [config.server, config.certificateAuthority, config.namespace],
      ['https://[fd00::1]:443', 'CA', 'mine'],
    );
    assert.equal((await config.credentials?.current())?.token, 'tok');
    environment.files.set('/home/me/.kube/config', file('a', '{}'));
    assert.equal((await loadConfig({ environment })).server, 'https://a.example.com');
  });

  it('rejects a missing file that was requested', async () => {
    await assert.rejects(
      loadConfig({ environment: new FakeEnvironment(), path: '/x' }),
      /^KubeconfigError: \/x: does not exist$/,
    );
  });

  it('reads certificate files and rejects missing ones at once', async () => {
    const environment = new FakeEnvironment();
    environment.files.set(
      '/k/config',
      file('a', '{ client-certificate: a.crt, client-key: a.key }', 'certificate-authority: ca.crt'),
    );
    const load = () => loadConfig({ environment, path: '/k/config' });
    await assert.rejects(load(), /certificate authority \/k\/ca.crt: does not exist/);
    environment.files.set('/k/ca.crt', 'CA').set('/k/a.crt', 'CERT');
    await assert.rejects(load(), /client key \/k\/a.key: does not exist/);
    environment.files.set('/k/a.key', 'KEY');
    const config = await load();
    assert.equal(config.certificateAuthority, 'CA');
    assert.deepEqual(await config.credentials?.current(), {
      token: undefined,
      clientCertificate: 'CERT',
      clientKey: 'KEY',
    });
  });

  it('rejects incomplete users and clusters', async () => {
    const environment = new FakeEnvironment();
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['{ client-certificate: x }', '', /user "a" has a client certificate, but no client-key/],
      ['{ token: t, username: u }', '', /both a token and a username/],
      ['{ auth-provider: { name: gcp } }', '', /wants the auth provider "gcp"; auth providers are no longer supported/],
      ['{}', 'server: "ftp://x"', /not an http or https URL/],
      ['{}', 'server: ""', /cluster "a" has no server/],
    ];
    for (const [user, cluster, message] of cases) {
      const config = parseKubeconfig(
        file('a', user).replace(/\{ server: [^}]*\}/, cluster === '' ? '$&' : `{ ${cluster} }`),
      );
      await assert.rejects(clientConfigOf(config, {}, { environment }), message);
    }
  });

  it('takes the proxy from the file, else from the environment unless NO_PROXY excludes the server', async () => {
    const environment = new FakeEnvironment();
    const proxyOf = async (cluster = '') =>
      (await clientConfigOf(parseKubeconfig(file('a', '{}', cluster)), {}, { environment })).proxyUrl;
    assert.equal(await proxyOf(), undefined);
    environment.variables['HTTPS_PROXY'] = 'proxy:3128';
    assert.equal(await proxyOf(), 'http://proxy:3128');
    assert.equal(await proxyOf('proxy-url: "http://other"'), 'http://other');
    for (const exception of ['*', 'example.com', '.example.com', '*.example.com', 'x, a.example.com:443']) {
      environment.variables['NO_PROXY'] = exception;
      assert.equal(await proxyOf(), undefined, exception);
    }
    for (const other of ['xample.com', 'a.example.com:80', '10.0.0.0/8', '.a.example.com']) {
      environment.variables['NO_PROXY'] = other;
      assert.equal(await proxyOf(), 'http://proxy:3128', other);
    }
  });
});

describe('changing credentials', () => {
  it('re-read a token file every minute and after a refusal', async () => {
    const environment = new FakeEnvironment();
    const clock = new VirtualClock();
    environment.files.set('/token', 'one');
    const kubeconfig = parseKubeconfig(file('a', '{ tokenFile: /token }'));
    const { credentials } = await clientConfigOf(kubeconfig, {}, { environment, clock });
    assert.ok(credentials !== undefined);
    const first = await credentials.current();
    environment.files.set('/token', 'two');
    await clock.advance(59_999);
    assert.equal(await credentials.current(), first);
    await clock.advance(1);
    const second = await credentials.current();
    assert.equal(second.token, 'two');
    environment.files.set('/token', 'three');
    credentials.rejected(first);
    assert.equal(await credentials.current(), second, 'a refusal of what was replaced already means nothing');
    credentials.rejected(second);
    assert.equal((await credentials.current()).token, 'three');
    environment.files.delete('/token');
    await clock.advance(60_000);
    assert.equal((await credentials.current()).token, 'three', 'what was read lasts while the file is away');
  });

  const withPlugin = async (more = '') => {
    const environment = new FakeEnvironment();
    const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
    const exec = `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: [a], env: [{name: E, value: v}], interactiveMode: IfAvailable, installHint: "get\\u001b[1m it", ${more} } }`;
    const extensions = 'extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: x } }]';
    const cluster = `certificate-authority-data: ${base64('CA')}, ${extensions}`;
    const kubeconfig = parseKubeconfig(file('a', exec, cluster), '/k/config');
    const { credentials } = await clientConfigOf(kubeconfig, {}, { environment, clock });
    assert.ok(credentials !== undefined);
    return { environment, clock, credentials };
  };
  const printed = (status: object) =>
    JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });

  it('run a plugin once for all callers, and again after expiry or a refusal', async () => {
    const { environment, clock, credentials } = await withPlugin();
    assert.equal(environment.runs.length, 0);
    let count = 0;
    environment.answer = () => printed({ token: `t${++count}`, expirationTimestamp: '2026-01-01T00:10:00Z' });
    const [one, two] = await Promise.all([credentials.current(), credentials.current()]);
    assert.equal(one, two);
    assert.equal(one.token, 't1');
    await clock.advance(599_999);
    assert.equal(await credentials.current(), one);
    await clock.advance(1);
    const renewed = await credentials.current();
    assert.equal(renewed.token, 't2');
    credentials.rejected(renewed);
    assert.equal((await credentials.current()).token, 't3');
  });

  it('pass the requested information to a plugin', async () => {
    const { environment, credentials } = await withPlugin('provideClusterInfo: true');
    environment.answer = () => printed({ clientCertificateData: 'CERT', clientKeyData: 'KEY' });
    assert.deepEqual(await credentials.current(), { token: undefined, clientCertificate: 'CERT', clientKey: 'KEY' });
    const run = environment.runs[0];
    assert.equal(run?.command, '/k/bin/login');
    assert.deepEqual(run.args, ['a']);
    assert.equal(run.options.variables['E'], 'v');
    assert.deepEqual(JSON.parse(run.options.variables['KUBERNETES_EXEC_INFO'] ?? ''), {
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: {
        cluster: {
          server: 'https://a.example.com',
          'certificate-authority-data': base64('CA'),
          config: { audience: 'x' },
        },
        interactive: false,
      },
    });
  });

  it('report a failing plugin', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['nonsense', /exec plugin \/k\/bin\/login: output: is not JSON/],
      ['{}', /output\.apiVersion is missing, but an ExecCredential of client.authentication.k8s.io\/v1 is expected/],
      [printed({}), /output\.status\.token is missing/],
      [printed({ clientKeyData: 'k' }), /go together, but one is missing/],
      [printed({ token: 't', expirationTimestamp: 'soon' }), /expirationTimestamp cannot be read/],
    ];
    for (const [output, message] of cases) {
      const { environment, credentials } = await withPlugin();
      environment.answer = () => output;
      await assert.rejects(credentials.current(), message);
    }
    const { environment, credentials } = await withPlugin();
    environment.answer = () => {
      throw Object.assign(new Error('spawn'), { code: 'ENOENT' });
    };
    await assert.rejects(credentials.current(), {
      name: 'KubeconfigError',
      message: 'exec plugin /k/bin/login: there is no such program\n\nget[1m it',
    });
    environment.answer = () => printed({ token: 't' });
    assert.equal((await credentials.current()).token, 't', 'a failure is not kept');
  });

  it('reject a plugin that prompts if there is no terminal', async () => {
    const { environment, credentials } = await withPlugin();
    environment.interactive = true;
    environment.answer = () => printed({ token: 't' });
    await credentials.current();
    assert.equal(environment.runs[0]?.options.interactive, true);
    const kubeconfig = parseKubeconfig(
      file('a', '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Always } }'),
    );
    const config = await clientConfigOf(kubeconfig, {}, { environment: new FakeEnvironment() });
    await assert.rejects(
      async () => config.credentials?.current(),
      /needs to prompt the user, but there is no terminal/,
    );
  });

  it('reject in-cluster configuration outside of pods', async () => {
    await assert.rejects(inClusterConfig({ environment: new FakeEnvironment() }), /not running in a pod/);
  });
});
