import type { RunningServer, ServerOptions } from '@binnacle/apiserver';
import type { ManagerOptions } from '@binnacle/controllers';
import type { NodesOptions } from '@binnacle/nodes';
import type { SchedulerOptions } from '@binnacle/scheduler/loop';
import { makeSigningKeyText } from '@binnacle/apiserver/serviceaccounts';
import { readBody } from '@binnacle/client/transport';
import { openMemoryKV } from '@binnacle/kv/memory';
import { KVError } from '@binnacle/kv';
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createIssuer } from '@binnacle/client/certificates';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { assemble } from './assemble.js';
import { defaultDataDirectory } from '../files/index.js';
import type { RunningBinnacle, StartOptions } from './options/options.js';
import type { Parts, StoreLocation } from './parts.js';
import { StartError } from './start-error.js';

/** Parts that record what is called. */
class RecordingParts implements Parts {
  readonly notes: string[] = [];
  location: StoreLocation | undefined;
  server: ServerOptions | undefined;
  failure: Error | undefined;
  stopFailure: Error | undefined;
  nodesBegan: (options: NodesOptions) => void = () => undefined;
  readonly nodes = new Promise<NodesOptions>((resolve) => {
    this.nodesBegan = resolve;
  });
  schedulerBegan: (options: SchedulerOptions) => void = () => undefined;
  readonly scheduler = new Promise<SchedulerOptions>((resolve) => {
    this.schedulerBegan = resolve;
  });
  loopsBegan: (options: ManagerOptions) => void = () => undefined;
  readonly manager = new Promise<ManagerOptions>((resolve) => {
    this.loopsBegan = resolve;
  });

  renewed: RunningServer['renew'] = () => undefined;

  readonly clock = new VirtualClock();
  readonly random = seededRandom(1);

  async openStore(location: StoreLocation) {
    this.notes.push(`open ${location.type}`);
    this.location = location;
    const kv = openMemoryKV();
    const close = kv.close.bind(kv);
    kv.close = () => {
      this.notes.push('close store');
      return close();
    };
    return kv;
  }

  async startServer(options: ServerOptions) {
    if (this.failure !== undefined) throw this.failure;
    this.server = options;
    this.notes.push('start server');
    const stop = async () => {
      this.notes.push('stop server');
      if (this.stopFailure !== undefined) throw this.stopFailure;
    };
    const send: RunningServer['send'] = async ({ user, method, path, headers }) => {
      this.notes.push(`${user.name} of ${user.groups.join()} ${method} ${path} ${String(headers?.['user-agent'])}`);
      return { status: 200, headers: {}, body: streamOf('{}'), cancel: () => undefined };
    };
    const announceStop = async () => void this.notes.push('announce stop');
    const renew: RunningServer['renew'] = (tls, proxyAuthorities) => this.renewed(tls, proxyAuthorities);
    const metrics = async (path: string) => `# ${path}`;
    return { port: options.securePort === 0 ? 40000 : options.securePort, send, renew, metrics, announceStop, stop };
  }

  async runScheduler(options: SchedulerOptions, signal: AbortSignal) {
    this.notes.push('run scheduler');
    options.status?.failed('kube-scheduler', new Error('no nodes'));
    this.schedulerBegan(options);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    this.notes.push('scheduler ended');
  }

  async runNodes(options: NodesOptions, signal: AbortSignal) {
    this.notes.push('run nodes');
    this.nodesBegan(options);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    this.notes.push('nodes ended');
  }

  async runLoops(options: ManagerOptions, signal: AbortSignal) {
    this.notes.push('run loops');
    this.loopsBegan(options);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    this.notes.push('loops ended');
  }
}

/** A fork has a copy of its parent's parts. */
function ownMethods(parts: RecordingParts): Parts {
  return {
    clock: parts.clock,
    random: parts.random,
    openStore: (location) => parts.openStore(location),
    startServer: (options) => parts.startServer(options),
    runLoops: (options, signal) => parts.runLoops(options, signal),
    runScheduler: (options, signal) => parts.runScheduler(options, signal),
    runNodes: (options, signal) => parts.runNodes(options, signal),
  };
}

async function* streamOf(text: string) {
  yield Buffer.from(text);
}

/** The options that are not undefined. */
const given = (options: object | undefined): unknown => JSON.parse(JSON.stringify(options ?? {}));

const systemError = (syscall: string, code: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { syscall, code });

describe('start', () => {
  let directory = '';
  let parts = new RecordingParts();
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embed-'));
    parts = new RecordingParts();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const rejection = async (options: StartOptions) => {
    const error: unknown = await assemble(options, parts).catch((reason: unknown) => reason);
    assert.ok(error instanceof StartError);
    return error;
  };

  it('in memory: is ready with a client configuration, writes nothing, stops in order', async () => {
    const server = await assemble({ inMemory: true }, parts);
    assert.equal(server.url, 'https://127.0.0.1:40000');
    assert.equal(server.kubeconfigFile, undefined);
    assert.equal(server.dataDirectory, undefined);
    assert.match(server.kubeconfig, /server: "https:\/\/127\.0\.0\.1:40000"/);
    assert.equal(parts.server?.tokens[0]?.token, server.clientConfig.token);
    const authority = new X509Certificate(server.clientConfig.certificateAuthority);
    assert.ok(new X509Certificate(server.clientConfig.clientCertificate).verify(authority.publicKey));
    assert.ok(new X509Certificate(parts.server?.tls.certificate ?? '').verify(authority.publicKey));

    await Promise.all([server.stop(), server.stop()]);
    await server[Symbol.asyncDispose]();
    assert.deepEqual(parts.notes, ['open memory', 'start server', 'announce stop', 'stop server', 'close store']);
  });

  it('control loops start when the server is ready, select their user, and stop before it', async () => {
    const server = await assemble({ inMemory: true, controllers: 'serviceaccount', scheduler: false }, parts);
    assert.deepEqual(parts.notes, ['open memory', 'start server']);
    const { loops, connect, certificateAuthority, status } = await parts.manager;
    assert.deepEqual(status?.checks, parts.server?.healthChecks);
    assert.deepEqual(
      loops.map(({ name }) => name),
      ['serviceaccount-controller'],
    );
    assert.equal(certificateAuthority, server.clientConfig.certificateAuthority);
    await using transport = connect({ user: 'helm', groups: ['bridge'], userAgent: 'rudder/1' });
    const answer = await transport.send({ method: 'GET', path: '/depth' });
    assert.equal(Buffer.from(await readBody(answer)).toString(), '{}');

    await server.stop();
    const between = ['run loops', 'helm of bridge GET /depth rudder/1', 'announce stop', 'loops ended'];
    assert.deepEqual(parts.notes, ['open memory', 'start server', ...between, 'stop server', 'close store']);
  });

  for (const [options, runs] of [
    [{}, true],
    [{ controllers: 'serviceaccount' }, true],
    [{ scheduler: false }, false],
    [{ controllers: '' }, false],
    [{ controllers: '', scheduler: true }, true],
  ] as const) {
    it(`a scheduler ${runs ? 'runs' : 'does not run'} with ${JSON.stringify(options)}`, async () => {
      await using _ = await assemble({ inMemory: true, ...options }, parts);
      const names = (parts.server?.healthChecks ?? []).map(({ name }) => name);
      assert.equal(names.includes('kube-scheduler'), runs);
    });
  }

  it('a scheduler starts after the server, and stops before it', async () => {
    const server = await assemble({ inMemory: true, controllers: '', scheduler: true }, parts);
    await parts.scheduler;
    const { healthChecks = [] } = parts.server ?? {};
    assert.deepEqual(
      healthChecks.map(({ name }) => name),
      ['kube-scheduler'],
    );
    assert.throws(() => healthChecks[0]?.check(new AbortController().signal), /no nodes/);
    await server.stop();
    const between = ['run scheduler', 'announce stop', 'scheduler ended'];
    assert.deepEqual(parts.notes, ['open memory', 'start server', ...between, 'stop server', 'close store']);
  });

  it('a scheduler has the configuration of its file', async () => {
    const file = join(directory, 'scheduler.yaml');
    const kind = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    writeFileSync(file, `${kind}profiles: [{schedulerName: packing}]\n`);
    await using _ = await assemble(
      { inMemory: true, controllers: '', scheduler: true, schedulerConfigFile: file },
      parts,
    );
    const { configuration } = await parts.scheduler;
    assert.deepEqual(
      configuration?.profiles.map(({ schedulerName }) => schedulerName),
      ['packing'],
    );

    writeFileSync(file, `${kind}profile: []\n`);
    const wrong = await rejection({ inMemory: true, schedulerConfigFile: file });
    assert.equal(wrong.message, `--scheduler-config ${file}: strict decoding error: unknown field "profile"`);
    const idle = await rejection({ inMemory: true, controllers: '', schedulerConfigFile: file });
    assert.equal(idle.message, '--scheduler-config is given, and no scheduler runs: add --scheduler');
  });

  it('simulated nodes serve no metrics if they must not', async () => {
    await using _ = await assemble({ inMemory: true, controllers: '', nodes: 1, nodeMetrics: false }, parts);
    assert.equal((await parts.nodes).metricsAddress, undefined);
  });

  it('simulated nodes start if they are asked for, and stop before the server', async () => {
    const server = await assemble({ inMemory: true, controllers: '', nodes: 3 }, parts);
    const { count, kubelet, metricsAddress } = await parts.nodes;
    assert.deepEqual([count, kubelet?.address, metricsAddress], [3, '127.0.0.1', '127.0.0.1']);
    await server.stop();
    const between = ['run nodes', 'announce stop', 'nodes ended'];
    assert.deepEqual(parts.notes, ['open memory', 'start server', ...between, 'stop server', 'close store']);
    await assert.rejects(
      assemble({ inMemory: true, nodes: 5001 }, parts),
      /^StartError: --nodes must be from 0 to 5000$/,
    );
  });

  it('process nodes get the programs of options and of their file, and the address of the server', async () => {
    const file = join(directory, 'images');
    writeFileSync(file, '# mine\nother=b --c\n');
    const options = { inMemory: true, controllers: '', processNodes: 2, allowProcesses: true };
    await using server = await assemble({ ...options, imageCommands: ['web=a'], imageCommandsFile: file }, parts);
    const { count, processNodes } = await parts.nodes;
    assert.deepEqual([count, processNodes?.count, processNodes?.imageCommands], [0, 2, ['web=a', 'other=b --c']]);
    assert.deepEqual(processNodes?.server, {
      url: server.url,
      certificateAuthority: server.clientConfig.certificateAuthority,
    });
  });

  it('process nodes need consent and programs, and are refused otherwise', async () => {
    const refusal = async (options: StartOptions) => (await rejection({ inMemory: true, ...options })).message;
    const imageCommands = ['web=a'];
    assert.match(await refusal({ processNodes: 1, imageCommands }), /agree with --allow-processes$/);
    assert.match(await refusal({ processNodes: 1, allowProcesses: true }), /add --image-command IMAGE=COMMAND$/);
    assert.match(await refusal({ imageCommands }), /no node runs programs: add --process-nodes$/);
    assert.equal(await refusal({ processNodes: 9 }), '--process-nodes must be from 0 to 8');
    assert.equal(
      await refusal({ processNodes: 1, allowProcesses: true, imageCommands: ['web'] }),
      '--image-command: "web" is not IMAGE=COMMAND',
    );
  });

  it('without control loops none start, and an early stop does not wait for them', async () => {
    for (const controllers of ['', '-serviceaccount']) {
      const notes = new RecordingParts();
      const server = await assemble({ inMemory: true, controllers }, notes);
      await new Promise((resolve) => setImmediate(resolve));
      await server.stop();
      assert.ok(!notes.notes.includes('run loops'));
    }
    const server = await assemble({ inMemory: true }, parts);
    await server.stop();
    assert.ok(!parts.notes.includes('run loops'));
    assert.match(
      (await rejection({ inMemory: true, controllers: '*,anchor' })).message,
      /"anchor" is not in the list of known controllers: /,
    );
  });

  it('in a directory: certificates and kubeconfig are kept across starts', async () => {
    const dataDirectory = join(directory, 'data');
    const first = await assemble({ dataDirectory, securePort: 7443 }, parts);
    assert.deepEqual(readdirSync(dataDirectory).sort(), ['kubeconfig', 'pki']);
    assert.equal(statSync(dataDirectory).mode & 0o777, 0o700);
    assert.equal(first.kubeconfigFile, join(dataDirectory, 'kubeconfig'));
    assert.equal(readFileSync(join(dataDirectory, 'kubeconfig'), 'utf8'), first.kubeconfig);
    const second = await assemble({ dataDirectory, securePort: 7443 }, parts);
    assert.equal(second.kubeconfig, first.kubeconfig);
    assert.notEqual(second.clientConfig.token, first.clientConfig.token);
  });

  it('in a directory: keeps the key for service account tokens, and replaces an invalid one', async () => {
    const file = join(directory, 'pki', 'sa.key');
    const keyId = async (options: StartOptions) => {
      await assemble(options, parts);
      return (await parts.server?.serviceAccounts.keys())?.signing.id;
    };
    const first = await keyId({ dataDirectory: directory });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await keyId({ dataDirectory: directory }), first);
    writeFileSync(file, 'damaged');
    const second = await keyId({ dataDirectory: directory });
    assert.notEqual(second, first);
    const copy = join(directory, 'copy');
    writeFileSync(copy, readFileSync(file));
    const memory = { inMemory: true, serviceAccountSigningKeyFile: copy };
    assert.equal(await keyId(memory), second);
    await assemble({ inMemory: true, serviceAccountKeyFiles: [copy] }, parts);
    const keys = await parts.server?.serviceAccounts.keys();
    assert.deepEqual(
      keys?.verification.map(({ id }) => id),
      [keys?.signing.id, second],
    );
    assert.notEqual(keys?.signing.id, second);
  });

  it('service account tokens follow the options', async () => {
    await assemble({ inMemory: true }, parts);
    const { keys: _, ...usual } = parts.server?.serviceAccounts ?? {};
    assert.deepEqual(given(usual), { issuers: ['https://kubernetes.default.svc.cluster.local'] });
    await assemble(
      {
        inMemory: true,
        serviceAccountIssuers: ['https://a', 'b'],
        serviceAccountJwksUri: 'https://c',
        serviceAccountMaxTokenExpirationMs: 3_600_000,
        serviceAccountExtendTokenExpiration: false,
        serviceAccountLookup: false,
        apiAudiences: 'x, y',
      },
      parts,
    );
    const { keys: __, ...chosen } = parts.server?.serviceAccounts ?? {};
    assert.deepEqual(chosen, {
      issuers: ['https://a', 'b'],
      apiAudiences: ['x', 'y'],
      jwksUri: 'https://c',
      maximumTokenSeconds: 3600,
      extendsTokenExpiration: false,
      looksUpSecrets: false,
    });
  });

  it('a fork has credentials of its own unless it shares them, and its loops start after a write', async () => {
    const ownParts = ownMethods(parts);
    await using server = await assemble({ inMemory: true, controllers: 'serviceaccount', scheduler: false }, ownParts);
    await parts.manager;
    assert.equal(parts.server?.isFork, false);
    const write = (key: string) =>
      parts.server?.kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('1') } });
    await write('/registry/first');
    await write('/registry/second');
    await using shared = await server.fork({ sharesCredentials: true, revision: 2 });
    assert.equal(shared.clientConfig.certificateAuthority, server.clientConfig.certificateAuthority);
    assert.equal(await parts.server.kv.currentRevision(), 2);
    await using inner = await shared.fork();
    assert.notEqual(inner.clientConfig.certificateAuthority, server.clientConfig.certificateAuthority);
    await using fork = await server.fork();
    assert.notEqual(fork.clientConfig.certificateAuthority, server.clientConfig.certificateAuthority);
    assert.deepEqual([parts.server.isFork, await parts.server.kv.currentRevision()], [true, 3]);
    assert.equal(parts.notes.filter((note) => note === 'run loops').length, 1);
    const began = new Promise((resolve) => {
      parts.loopsBegan = resolve;
    });
    await write('/registry/third');
    await began;
    await assert.rejects(server.fork({ revision: 4 }), /revision 4 has not been reached/);
  });

  it('a parent does not accept what a fork signs', async () => {
    const files = { tokenAuthFile: join(directory, 'tokens'), serviceAccountSigningKeyFile: join(directory, 'key') };
    writeFileSync(files.tokenAuthFile, 'secret,jane,1');
    writeFileSync(files.serviceAccountSigningKeyFile, await makeSigningKeyText());
    const keysOf = async () => await parts.server?.serviceAccounts.keys();
    const tokens = () => parts.server?.tokens.map(({ token }) => token);
    await using server = await assemble({ inMemory: true, ...files }, ownMethods(parts));
    const [own, trusted] = [await keysOf(), parts.server?.tls.clientCertificateAuthorities];
    await using _ = await server.fork({ sharesCredentials: true });
    const shared = await keysOf();
    assert.ok(own && shared);
    assert.notEqual(shared.signing.id, own.signing.id);
    assert.deepEqual(shared.verification.slice(1), own.verification);
    assert.equal(tokens()?.includes('secret'), true);
    assert.deepEqual(parts.server?.tls.clientCertificateAuthorities?.slice(1), trusted);
    await using __ = await server.fork();
    const apart = await keysOf();
    assert.equal(apart?.verification.length, 1);
    assert.notEqual(apart?.signing.id, own.signing.id);
    assert.equal(tokens()?.includes('secret'), false);
  });

  it('trusts the front proxies of a changed file', async () => {
    const files = ['clients', 'proxies'].map((name) => join(directory, name));
    const authority = async (name: string) => (await createIssuer(name, parts.clock.now())).authority.certificate;
    const [clients, former, present] = await Promise.all(['clients', 'former', 'present'].map(authority));
    const [clientCAFile = '', requestheaderClientCAFile = ''] = files;
    writeFileSync(clientCAFile, clients ?? '');
    writeFileSync(requestheaderClientCAFile, former ?? '');
    await using _ = await assemble({ inMemory: true, clientCAFile, requestheaderClientCAFile }, parts);
    assert.deepEqual(parts.server?.frontProxies?.authorities, [former]);
    writeFileSync(requestheaderClientCAFile, present ?? '');
    const renewed = new Promise<unknown>((resolve) => {
      parts.renewed = ({ clientCertificateAuthorities }, proxies) =>
        resolve([clientCertificateAuthorities?.at(-1), proxies]);
    });
    await parts.clock.advance(2000);
    assert.deepEqual(await renewed, [clients, [present]]);
  });

  it('a fork has no identity of its parent, but the certificate that clients know', async () => {
    const identity = ({ clientConfig: { token, clientKey, clientCertificate } }: RunningBinnacle) => {
      const { proxyClient, kubelets } = parts.server ?? {};
      return [token, clientKey, clientCertificate, proxyClient?.privateKey, kubelets?.client?.privateKey];
    };
    await using server = await assemble({ inMemory: true }, ownMethods(parts));
    const [parent, serving] = [identity(server), parts.server?.tls.certificate];
    await using fork = await server.fork({ sharesCredentials: true });
    assert.deepEqual(
      identity(fork).filter((secret) => secret === undefined || parent.includes(secret)),
      [],
    );
    assert.equal(parts.server?.tls.certificate, serving);
    const tokens = [fork.clientConfig.token, server.clientConfig.token];
    assert.deepEqual(
      parts.server?.tokens.map(({ token }) => token),
      tokens,
    );
    await using _ = await fork.fork({ sharesCredentials: true });
    assert.deepEqual(parts.server.tokens.map(({ token }) => token).slice(1), tokens);
    assert.equal(parts.server.tls.certificate, serving);
    assert.equal(parts.server.tls.clientCertificateAuthorities?.length, 3);
  });

  it('a fork runs no processes', async () => {
    const ownParts = ownMethods(parts);
    const processes = { processNodes: 1, allowProcesses: true, imageCommands: ['web=a'] };
    await using server = await assemble({ inMemory: true, controllers: '', ...processes }, ownParts);
    assert.notEqual(parts.server?.localAddress, undefined);
    await using _ = await server.fork();
    assert.equal(parts.server?.localAddress, undefined);
  });

  it('a failed start leaves nothing open and no kubeconfig', async () => {
    parts.failure = systemError('listen', 'EADDRINUSE');
    const error = await rejection({ dataDirectory: directory, securePort: 7443 });
    assert.equal(
      error.message,
      'port 7443 on 127.0.0.1 is in use by another process; stop that process, or choose another port with --secure-port',
    );
    assert.equal(error.code, 'environment');
    assert.deepEqual(parts.notes, ['open embedded', 'close store']);
    assert.ok(!existsSync(join(directory, 'kubeconfig')));
  });

  it('the store is closed even if the server fails to stop', async () => {
    parts.stopFailure = new Error('stuck');
    const server = await assemble({ inMemory: true }, parts);
    await assert.rejects(server.stop(), /^Error: stuck$/);
    assert.deepEqual(parts.notes, ['open memory', 'start server', 'announce stop', 'stop server', 'close store']);
  });

  it('the server stops when the kubeconfig cannot be written', async () => {
    const error = await rejection({ inMemory: true, kubeconfigFile: join(directory, 'absent', 'file') });
    assert.match(error.message, /^cannot write the kubeconfig .*: no such file or directory$/);
    assert.deepEqual(parts.notes, ['open memory', 'start server', 'stop server', 'close store']);
  });

  it("the user's files are read before anything is opened", async () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'token\n');
    const messages = [
      [
        { tokenAuthFile: file },
        `--token-auth-file ${file}: token file must have at least 3 columns (token, user name, user uid), found 1`,
      ],
      [{ clientCAFile: file }, `--client-ca-file ${file}: the file holds no PEM certificate`],
      [{ clientCAFile: directory }, `--client-ca-file ${directory}: it is a directory`],
      [
        { serviceAccountSigningKeyFile: file },
        `--service-account-signing-key-file ${file}: the file holds no PEM private key`,
      ],
      [
        { authenticationConfig: file },
        `--authentication-config ${file}: couldn't get version/kind; the file holds no object`,
      ],
      [
        { authorizationConfig: file },
        `--authorization-config ${file}: couldn't get version/kind; the file holds no object`,
      ],
      [
        { authorizationMode: 'ABAC', authorizationPolicyFile: file },
        `--authorization-policy-file ${file}: line 1: invalid character 'o' in literal true (expecting 'r')`,
      ],
      [
        { authorizationMode: 'Webhook', authorizationWebhookConfigFile: file },
        `--authorization-webhook-config-file ${file}: ${file}: must be an object`,
      ],
      [
        { oidcCaFile: `${file}-absent`, oidcIssuerUrl: 'https://a', oidcClientId: 'b' },
        `--oidc-ca-file ${file}-absent: no such file or directory`,
      ],
      [
        { authenticationTokenWebhookConfigFile: file },
        `--authentication-token-webhook-config-file ${file}: ${file}: must be an object`,
      ],
      [{ serviceAccountKeyFiles: [file] }, `--service-account-key-file ${file}: the file holds no PEM public key`],
    ] as const;
    for (const [options, message] of messages) {
      assert.equal((await rejection({ inMemory: true, ...options })).message, message);
    }
    assert.deepEqual(parts.notes, []);
  });

  it('switches of serving go to the server', async () => {
    await assemble(
      {
        inMemory: true,
        disableHttp2Serving: true,
        allowPrivileged: false,
        livezGracePeriodMs: 5000,
        profiling: false,
        enableAggregatorRouting: false,
        kubeletTimeoutMs: 2500,
      },
      parts,
    );
    assert.equal(parts.server?.kubelets?.timeoutMs, 2500);
    const { servesHttp2, allowPrivileged, livezGraceMs, servesProfiles, aggregatorRouting } = parts.server ?? {};
    assert.deepEqual([servesHttp2, allowPrivileged, livezGraceMs], [false, false, 5000]);
    assert.deepEqual([servesProfiles, aggregatorRouting], [false, false]);
  });

  it('settings go to the control loops', async () => {
    const given = {
      nodeMonitorPeriodMs: 1000,
      nodeMonitorGracePeriodMs: 2000,
      nodeStartupGracePeriodMs: 3000,
      nodeEvictionRate: 0.5,
      secondaryNodeEvictionRate: 0.25,
      unhealthyZoneThreshold: 0.75,
      largeClusterSizeThreshold: 10,
      kubeApiQps: 4,
      kubeApiBurst: 5,
      horizontalPodAutoscalerSyncPeriodMs: 6000,
      horizontalPodAutoscalerDownscaleStabilizationMs: 7000,
      horizontalPodAutoscalerTolerance: 0.2,
      horizontalPodAutoscalerCpuInitializationPeriodMs: 8000,
      horizontalPodAutoscalerInitialReadinessDelayMs: 10_000,
      terminatedPodGcThreshold: 9,
      enableHostPathProvisioner: true,
      allocateNodeCidrs: true,
      clusterCidr: '10.1.0.0/16',
      nodeCidrMaskSize: 26,
      serviceClusterIPRange: '10.2.0.0/24',
      clusterSigningDurationMs: 3_600_000,
      legacyTokenCleanUpPeriodMs: 11_000,
    };
    await assemble({ inMemory: true, ...given }, parts);
    const { settings } = await parts.manager;
    assert.deepEqual({ ...settings, ...given }, settings);
  });

  it('the sizes of node blocks of both families go to the control loops', async () => {
    const given = {
      allocateNodeCidrs: true,
      clusterCidr: '10.1.0.0/16,fd00::/56',
      nodeCidrMaskSizeIPv4: 25,
      nodeCidrMaskSizeIPv6: 65,
    };
    await assemble({ inMemory: true, ...given }, parts);
    const { settings } = await parts.manager;
    assert.deepEqual({ ...settings, ...given }, settings);
  });

  it('the signer of certificates goes to the control loops', async () => {
    const { authority } = await createIssuer('signer', parts.clock.now());
    const [clusterSigningCertFile, clusterSigningKeyFile] = [join(directory, 'signer'), join(directory, 'signer-key')];
    writeFileSync(clusterSigningCertFile, authority.certificate);
    writeFileSync(clusterSigningKeyFile, authority.privateKey);
    await assemble({ inMemory: true, clusterSigningCertFile, clusterSigningKeyFile }, parts);
    const { clusterSigning } = (await parts.manager).settings ?? {};
    const { certificate, privateKey } = authority;
    assert.deepEqual({ ...clusterSigning }, { certificate, privateKey });
  });

  it('the advertised address goes to the server', async () => {
    await assemble({ inMemory: true, advertiseAddress: '192.0.2.7', endpointReconcilerType: 'none' }, parts);
    assert.deepEqual([parts.server?.advertiseAddress, parts.server?.endpointReconciler], ['192.0.2.7', 'none']);
    await assemble({ inMemory: true }, parts);
    assert.deepEqual([parts.server?.advertiseAddress, parts.server?.endpointReconciler], [undefined, 'lease']);
  });

  it('in etcd: the authority and the client certificate go to the store', async () => {
    const file = (name: string): string => {
      const path = join(directory, name);
      writeFileSync(path, name);
      return path;
    };
    const files = { etcdCAFile: file('ca'), etcdCertFile: file('certificate'), etcdKeyFile: file('key') };
    const etcd = { etcdServers: 'https://a:1', etcdCompactionIntervalMs: 0, dataDirectory: directory };
    await assemble({ ...etcd, ...files }, parts);
    const { location } = parts;
    assert.ok(location?.type === 'etcd');
    const { tls } = location.options;
    assert.deepEqual([tls?.certificateAuthority, tls?.certificate, tls?.privateKey].map(String), [
      'ca',
      'certificate',
      'key',
    ]);
  });

  it('in etcd: connection, user and prefix go to the store and the server', async () => {
    const etcdPasswordFile = join(directory, 'password');
    writeFileSync(etcdPasswordFile, ' pass word\n');
    const login = { etcdUsername: 'api', etcdPasswordFile };
    const etcd = { etcdServers: 'http://a:1, http://b:2', etcdCompactionIntervalMs: 0, dataDirectory: directory };
    await assemble({ ...etcd, ...login, etcdPrefix: 'team//a' }, parts);
    const endpoints = ['http://a:1', 'http://b:2'];
    assert.deepEqual(given(parts.location), {
      type: 'etcd',
      options: {
        endpoints,
        user: 'api',
        password: ' pass word',
        probeKey: '/team/a/',
        requestTimeoutMilliseconds: 65_000,
      },
    });
    assert.equal(parts.server?.storagePrefix, '/team/a/');
    assert.equal(parts.server?.storageMediaType, 'application/vnd.kubernetes.protobuf');
    await assemble({ ...etcd, storageMediaType: 'application/json' }, parts);
    assert.equal(parts.server?.storageMediaType, 'application/json');
    for (const [etcdPrefix, storagePrefix] of [
      [undefined, '/registry/'],
      ['', '/'],
      ['/', '/'],
    ]) {
      await assemble({ ...etcd, etcdPrefix }, parts);
      assert.equal(parts.server?.storagePrefix, storagePrefix);
      assert.deepEqual(parts.location?.type === 'etcd' && given(parts.location.options), {
        endpoints,
        probeKey: storagePrefix,
        requestTimeoutMilliseconds: 65_000,
      });
    }
  });

  it('an error names a data directory that is a file or in use', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const error = await rejection({ dataDirectory: file });
    assert.match(
      error.message,
      /^cannot use the data directory .*file: .*; fix that, or choose another directory with --data-dir$/,
    );
    parts.openStore = () => Promise.reject(new KVError('locked', 'data directory x is used by process 7'));
    assert.equal(
      (await rejection({ dataDirectory: directory })).message,
      'data directory x is used by process 7; stop that process, or choose another directory with --data-dir',
    );
  });

  it('an error names a damaged store and the remedy, wherever the damage is found', async () => {
    const damage = new KVError('corrupt', 'the value of "/registry/pods/a/b" is damaged');
    const expected =
      `cannot serve the store in ${directory}: the value of "/registry/pods/a/b" is damaged; ` +
      'run "binnacle store check" and "binnacle store repair", restore a backup, or choose another directory with --data-dir';
    parts.failure = new Error('cannot list', { cause: new Error('storage', { cause: damage }) });
    assert.equal((await rejection({ dataDirectory: directory })).message, expected);
    parts.openStore = () => Promise.reject(damage);
    assert.equal((await rejection({ dataDirectory: directory })).message, expected);
  });

  it('invalid options are usage errors', async () => {
    const wrong: StartOptions[] = [
      { bindAddress: 'localhost' },
      { securePort: 65536 },
      { securePort: 1.5 },
      { serviceClusterIPRange: '10.0.0.0' },
      { serviceClusterIPRange: '10.0.0.0/31' },
      { serviceClusterIPRange: '10.0.0.0/24,10.1.0.0/24' },
      { loadBalancerIPRange: '10.1.0.0/24,10.2.0.0' },
      { historyRetentionMs: -1 },
      { historyRetentionMs: Number.NaN },
      { eventTtlMs: 500 },
      { minRequestTimeoutSeconds: 1.5 },
      { livezGracePeriodMs: -1 },
      { shutdownDelayMs: -1 },
      { advertiseAddress: 'host' },
      { advertiseAddress: '127.0.0.1' },
      { endpointReconcilerType: 'master-count' },
      { loggingFormat: 'xml' },
      { maxRequestsInflight: -1 },
      { maxMutatingRequestsInflight: 1.5 },
      { maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 },
      { nodeMonitorPeriodMs: 0 },
      { clusterCidr: '10.1.0.0' },
      { allocateNodeCidrs: true },
      { clusterSigningKeyFile: 'x' },
      { tlsCertFile: 'x' },
      { dataDirectory: 'x' },
      { etcdServers: 'http://127.0.0.1:2379' },
      { etcdCertFile: 'x' },
      { etcdUsername: 'x' },
      { etcdPasswordFile: 'x' },
      { etcdUsername: '', etcdPasswordFile: 'x' },
      { serviceAccountIssuers: [''] },
      { serviceAccountIssuers: ['https://a', 'https://a'] },
      { serviceAccountIssuers: [':a'] },
      { serviceAccountJwksUri: 'http://a' },
      { serviceAccountMaxTokenExpirationMs: 60_000 },
      { serviceAccountMaxTokenExpirationMs: 2 ** 33 * 1000 },
      { apiAudiences: 'a,,b' },
      { storageMediaType: 'application/yaml' },
      { featureGates: 'Nonsense=true' },
      { authenticationTokenWebhookVersion: 'v1' },
      { authorizationMode: 'Node,Other' },
      { authorizationMode: 'RBAC,RBAC' },
      { authorizationMode: 'ABAC' },
      { authorizationMode: 'Webhook' },
      { authorizationPolicyFile: 'x' },
      { authorizationWebhookConfigFile: 'x' },
      { authorizationWebhookCacheAuthorizedTtlMs: 1 },
      { authorizationMode: 'Webhook', authorizationWebhookConfigFile: 'x', authorizationWebhookVersion: 'v2' },
      {
        authorizationMode: 'Webhook',
        authorizationWebhookConfigFile: 'x',
        authorizationWebhookCacheUnauthorizedTtlMs: -1,
      },
      { authorizationConfig: 'x', authorizationMode: 'RBAC' },
      { authorizationConfig: 'x', authorizationWebhookVersion: 'v1' },
      { oidcIssuerUrl: 'https://a' },
      { oidcUsernameClaim: 'sub' },
      { oidcIssuerUrl: 'http://a', oidcClientId: 'b' },
      { oidcIssuerUrl: 'https://a', oidcClientId: 'b', authenticationConfig: 'x' },
      { oidcIssuerUrl: 'https://a', oidcClientId: 'b', oidcSigningAlgs: ['HS256'] },
      { oidcIssuerUrl: 'https://a', oidcClientId: 'b', oidcRequiredClaims: ['c'] },
      { authenticationTokenWebhookCacheTtlMs: 0 },
      { authenticationTokenWebhookConfigFile: 'x', authenticationTokenWebhookVersion: 'v2' },
      { authenticationTokenWebhookConfigFile: 'x', authenticationTokenWebhookCacheTtlMs: -1 },
    ];
    for (const options of wrong) assert.equal((await rejection({ inMemory: true, ...options })).code, 'usage');
  });

  it("feature gates reach the server; an unknown one is refused in kube-apiserver's words", async () => {
    await assemble({ inMemory: true, featureGates: 'CBORServingAndStorage=true' }, parts);
    const on = ['CBORServingAndStorage', 'ComponentFlagz', 'ComponentStatusz'];
    assert.deepEqual([...(parts.server?.features ?? [])], on);
    assert.equal(
      (await rejection({ inMemory: true, featureGates: 'Nonsense=true' })).message,
      'invalid argument "Nonsense=true" for "--feature-gates" flag: unrecognized feature gate: Nonsense',
    );
  });

  it('the data directory follows XDG_DATA_HOME when that is absolute', () => {
    assert.equal(defaultDataDirectory({ XDG_DATA_HOME: '/x' }), '/x/binnacle');
    assert.match(defaultDataDirectory({ XDG_DATA_HOME: 'x' }), /\/\.local\/share\/binnacle$/);
  });
});
