import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../testing/index.js';
import {
  clientConfigOf,
  inClusterConfig,
  KubeconfigError,
  loadConfig,
  mergeKubeconfigs,
  parseKubeconfig,
  type RunOptions,
  type Surroundings,
  selectContext,
} from './index.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

class FakeSurroundings implements Surroundings {
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
  it('is read with paths from its folder, and data decoded', () => {
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

  it('says where something is wrong', () => {
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

  it('of entries with one name the first counts, whole', () => {
    const merged = mergeKubeconfigs([
      parseKubeconfig('users: [{name: u, user: {token: first}}]', 'one'),
      parseKubeconfig('users: [{name: u, user: {token: second, username: x}}, {name: v}]\ncurrent-context: c', 'two'),
    ]);
    assert.equal(merged.users.get('u')?.token, 'first');
    assert.equal(merged.users.get('u')?.username, undefined);
    assert.deepEqual([...merged.users.keys()], ['u', 'v']);
    assert.equal(merged.currentContext, 'c');
  });

  it('names what there is when what is asked for is not there', () => {
    const config = parseKubeconfig(file('a', '{}'), 'f');
    assert.throws(() => selectContext(config, { context: 'b' }), /f: the context, "b", does not exist; there are: a$/);
    assert.throws(
      () => selectContext(config, { user: 'x' }),
      /the user of context "a", "x", does not exist; there are: a/,
    );
    assert.throws(() => selectContext(parseKubeconfig('{}', 'f')), /no current-context is set.*there are none/);
    assert.equal(selectContext(config).namespace, 'ns-of-a');
    assert.equal(selectContext(config, { namespace: 'n' }).namespace, 'n');
  });
});

describe('loading', () => {
  it('takes the files of KUBECONFIG, those that are there', async () => {
    const surroundings = new FakeSurroundings();
    surroundings.variables['KUBECONFIG'] = '/none:/a:/b';
    surroundings.files.set('/a', file('a', '{ token: t }')).set('/b', file('b', '{ username: u, password: p }'));
    const config = await loadConfig({ surroundings });
    assert.equal(config.server, 'https://a.example.com');
    assert.equal(config.token, 't');
    assert.equal(config.namespace, 'ns-of-a');
    const other = await loadConfig({ surroundings, context: 'b' });
    assert.deepEqual([other.server, other.username, other.password], ['https://b.example.com', 'u', 'p']);
  });

  it('takes the file at home, then what a pod has, and else says what it looked for', async () => {
    const surroundings = new FakeSurroundings();
    await assert.rejects(loadConfig({ surroundings }), /none of \/home\/me\/.kube\/config exists, and this is no pod/);
    Object.assign(surroundings.variables, { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' });
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    await assert.rejects(loadConfig({ surroundings }), /token file .*serviceaccount\/token: does not exist/);
    surroundings.files.set(`${folder}/token`, 'tok\n').set(`${folder}/ca.crt`, 'CA').set(`${folder}/namespace`, 'mine');
    const config = await loadConfig({ surroundings });
    assert.deepEqual(
      [config.server, config.certificateAuthority, config.namespace],
      ['https://[fd00::1]:443', 'CA', 'mine'],
    );
    assert.equal((await config.credentials?.current())?.token, 'tok');
    surroundings.files.set('/home/me/.kube/config', file('a', '{}'));
    assert.equal((await loadConfig({ surroundings })).server, 'https://a.example.com');
  });

  it('a file that is asked for must be there', async () => {
    await assert.rejects(
      loadConfig({ surroundings: new FakeSurroundings(), path: '/x' }),
      /^KubeconfigError: \/x: does not exist$/,
    );
  });

  it('reads authorities and certificates from their files, and complains at once about those that are missing', async () => {
    const surroundings = new FakeSurroundings();
    surroundings.files.set(
      '/k/config',
      file('a', '{ client-certificate: a.crt, client-key: a.key }', 'certificate-authority: ca.crt'),
    );
    const load = () => loadConfig({ surroundings, path: '/k/config' });
    await assert.rejects(load(), /certificate authority \/k\/ca.crt: does not exist/);
    surroundings.files.set('/k/ca.crt', 'CA').set('/k/a.crt', 'CERT');
    await assert.rejects(load(), /client key \/k\/a.key: does not exist/);
    surroundings.files.set('/k/a.key', 'KEY');
    const config = await load();
    assert.equal(config.certificateAuthority, 'CA');
    assert.deepEqual(await config.credentials?.current(), {
      token: undefined,
      clientCertificate: 'CERT',
      clientKey: 'KEY',
    });
  });

  it('refuses users and clusters that cannot work', async () => {
    const surroundings = new FakeSurroundings();
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['{ client-certificate: x }', '', /user "a" has a client certificate, but no client-key/],
      ['{ token: t, username: u }', '', /both a token and a username/],
      ['{ auth-provider: { name: gcp } }', '', /wants the auth provider "gcp"; there are none any more/],
      ['{}', 'server: "ftp://x"', /no URL of http or https/],
      ['{}', 'server: ""', /cluster "a" has no server/],
    ];
    for (const [user, cluster, message] of cases) {
      const config = parseKubeconfig(
        file('a', user).replace(/\{ server: [^}]*\}/, cluster === '' ? '$&' : `{ ${cluster} }`),
      );
      await assert.rejects(clientConfigOf(config, {}, { surroundings }), message);
    }
  });

  it('takes the proxy of the file, else that of the environment unless the server is excepted', async () => {
    const surroundings = new FakeSurroundings();
    const proxyOf = async (cluster = '') =>
      (await clientConfigOf(parseKubeconfig(file('a', '{}', cluster)), {}, { surroundings })).proxyUrl;
    assert.equal(await proxyOf(), undefined);
    surroundings.variables['HTTPS_PROXY'] = 'proxy:3128';
    assert.equal(await proxyOf(), 'http://proxy:3128');
    assert.equal(await proxyOf('proxy-url: "http://other"'), 'http://other');
    for (const exception of ['*', 'example.com', '.example.com', '*.example.com', 'x, a.example.com:443']) {
      surroundings.variables['NO_PROXY'] = exception;
      assert.equal(await proxyOf(), undefined, exception);
    }
    for (const other of ['xample.com', 'a.example.com:80', '10.0.0.0/8', '.a.example.com']) {
      surroundings.variables['NO_PROXY'] = other;
      assert.equal(await proxyOf(), 'http://proxy:3128', other);
    }
  });
});

describe('credentials that change', () => {
  it('a token file is read again every minute, and when its token was refused', async () => {
    const surroundings = new FakeSurroundings();
    const clock = new ManualClock();
    surroundings.files.set('/token', 'one');
    const kubeconfig = parseKubeconfig(file('a', '{ tokenFile: /token }'));
    const { credentials } = await clientConfigOf(kubeconfig, {}, { surroundings, clock });
    assert.ok(credentials !== undefined);
    const first = await credentials.current();
    surroundings.files.set('/token', 'two');
    await clock.advance(59_999);
    assert.equal(await credentials.current(), first);
    await clock.advance(1);
    const second = await credentials.current();
    assert.equal(second.token, 'two');
    surroundings.files.set('/token', 'three');
    credentials.rejected(first);
    assert.equal(await credentials.current(), second, 'a refusal of what was replaced already means nothing');
    credentials.rejected(second);
    assert.equal((await credentials.current()).token, 'three');
    surroundings.files.delete('/token');
    await clock.advance(60_000);
    assert.equal((await credentials.current()).token, 'three', 'what was read lasts while the file is away');
  });

  const withPlugin = async (more = '') => {
    const surroundings = new FakeSurroundings();
    const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
    const exec = `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: [a], env: [{name: E, value: v}], interactiveMode: IfAvailable, installHint: "get\\u001b[1m it", ${more} } }`;
    const kubeconfig = parseKubeconfig(file('a', exec, `certificate-authority-data: ${base64('CA')}`), '/k/config');
    const { credentials } = await clientConfigOf(kubeconfig, {}, { surroundings, clock });
    assert.ok(credentials !== undefined);
    return { surroundings, clock, credentials };
  };
  const printed = (status: object) =>
    JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });

  it('a plugin runs once for all who wait, and again when its credentials expire or are refused', async () => {
    const { surroundings, clock, credentials } = await withPlugin();
    assert.equal(surroundings.runs.length, 0);
    let count = 0;
    surroundings.answer = () => printed({ token: `t${++count}`, expirationTimestamp: '2026-01-01T00:10:00Z' });
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

  it('a plugin is told what it asks for', async () => {
    const { surroundings, credentials } = await withPlugin('provideClusterInfo: true');
    surroundings.answer = () => printed({ clientCertificateData: 'CERT', clientKeyData: 'KEY' });
    assert.deepEqual(await credentials.current(), { token: undefined, clientCertificate: 'CERT', clientKey: 'KEY' });
    const run = surroundings.runs[0];
    assert.equal(run?.command, '/k/bin/login');
    assert.deepEqual(run.args, ['a']);
    assert.equal(run.options.variables['E'], 'v');
    assert.deepEqual(JSON.parse(run.options.variables['KUBERNETES_EXEC_INFO'] ?? ''), {
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: {
        cluster: { server: 'https://a.example.com', 'certificate-authority-data': base64('CA') },
        interactive: false,
      },
    });
  });

  it('what a plugin does wrong is said', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['nonsense', /exec plugin \/k\/bin\/login: output: is not JSON/],
      ['{}', /output\.apiVersion is missing, but an ExecCredential of client.authentication.k8s.io\/v1 is wanted/],
      [printed({}), /output\.status\.token is missing/],
      [printed({ clientKeyData: 'k' }), /go together, but one is missing/],
      [printed({ token: 't', expirationTimestamp: 'soon' }), /expirationTimestamp cannot be read/],
    ];
    for (const [output, message] of cases) {
      const { surroundings, credentials } = await withPlugin();
      surroundings.answer = () => output;
      await assert.rejects(credentials.current(), message);
    }
    const { surroundings, credentials } = await withPlugin();
    surroundings.answer = () => {
      throw Object.assign(new Error('spawn'), { code: 'ENOENT' });
    };
    await assert.rejects(credentials.current(), {
      name: 'KubeconfigError',
      message: 'exec plugin /k/bin/login: there is no such program\n\nget[1m it',
    });
    surroundings.answer = () => printed({ token: 't' });
    assert.equal((await credentials.current()).token, 't', 'a failure is not kept');
  });

  it('a plugin that must ask somebody fails where nobody is', async () => {
    const { surroundings, credentials } = await withPlugin();
    surroundings.interactive = true;
    surroundings.answer = () => printed({ token: 't' });
    await credentials.current();
    assert.equal(surroundings.runs[0]?.options.interactive, true);
    const kubeconfig = parseKubeconfig(
      file('a', '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Always } }'),
    );
    const config = await clientConfigOf(kubeconfig, {}, { surroundings: new FakeSurroundings() });
    await assert.rejects(async () => config.credentials?.current(), /wants to ask somebody, but there is no terminal/);
  });

  it('outside of pods there is no configuration of a pod', async () => {
    await assert.rejects(inClusterConfig({ surroundings: new FakeSurroundings() }), /this is no pod/);
  });
});
