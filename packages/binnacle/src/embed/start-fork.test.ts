import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import { KVError, type KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ForkStartOptions, RunningBinnacle, StartOptions } from './options/options.js';
import type { Parts } from './parts.js';
import { StartError } from './start-error.js';
import { forkStarter, startFork } from './start-fork.js';

const unused = (): never => assert.fail('not expected');
const parts: Parts = {
  clock: new VirtualClock(),
  random: seededRandom(1),
  openStore: unused,
  startServer: unused,
  runLoops: unused,
  runScheduler: unused,
  runNodes: unused,
};
const credentials = { keys: unused, token: 'secret', certificates: unused as never };

describe('startFork', () => {
  it('needs a store in this process', async () => {
    await using kv = openMemoryKV();
    const remote = { ...kv, fork: undefined } as unknown as KV;
    const forked = startFork({ kv: remote, credentials, options: {}, parts }, {}, unused);
    await assert.rejects(forked, { code: 'usage', message: 'a server over etcd cannot be forked' });
  });

  it('closes the fork of the store when the server does not start', async () => {
    await using kv = openMemoryKV();
    let opened: KV | undefined;
    const start = async (_: object, own: Parts): Promise<RunningBinnacle> => {
      opened = await own.openStore({ type: 'memory' }, own);
      throw new Error('no port');
    };
    await assert.rejects(startFork({ kv, credentials, options: {}, parts }, {}, start), /^Error: no port$/);
    assert.ok(opened !== undefined);
    await assert.rejects(opened.currentRevision(), { code: 'closed' });
  });

  it('leaves out what belongs to the parent alone', async () => {
    await using kv = openMemoryKV();
    let given: object = {};
    const start = async (options: object): Promise<RunningBinnacle> => {
      given = options;
      throw new Error('enough');
    };
    const options = {
      dataDirectory: 'data',
      securePort: 6443,
      auditLogPath: 'audit.log',
      kubeconfigFile: 'kubeconfig',
      nodes: 3,
      processNodes: 1,
      allowProcesses: true,
      imageCommands: ['a=b'],
      proxyClientCertFile: 'proxy.crt',
      proxyClientKeyFile: 'proxy.key',
      kubeletClientCertificate: 'kubelet.crt',
      kubeletClientKey: 'kubelet.key',
      shutdownDelayMs: 60_000,
    };
    await assert.rejects(startFork({ kv, credentials, options, parts }, { securePort: 7443 }, start));
    assert.deepEqual(JSON.parse(JSON.stringify(given)), {
      inMemory: true,
      securePort: 7443,
      nodes: 3,
      processNodes: 0,
    });
  });

  it('accepts other credentials than its own only if it shares them', async () => {
    await using kv = openMemoryKV();
    const given: StartOptions[] = [];
    const start = async (options: StartOptions): Promise<RunningBinnacle> => {
      given.push(options);
      throw new Error('enough');
    };
    const users = {
      clientCAFile: 'ca',
      tokenAuthFile: 'tokens',
      enableBootstrapTokenAuth: true,
      authenticationTokenWebhookConfigFile: 'service',
      authenticationTokenWebhookVersion: 'v1',
      authenticationTokenWebhookCacheTtlMs: 1,
      oidcIssuerUrl: 'https://issuer',
      oidcClientId: 'binnacle',
      requestheaderClientCAFile: 'proxies',
      requestheaderAllowedNames: ['proxy'],
    };
    const rules = { authenticationConfig: 'rules', anonymousAuth: true };
    const anyway = { serviceAccountIssuers: ['https://issuer'], anonymousAuth: true };
    const fork = (options: StartOptions, sharesCredentials: boolean): Promise<void> =>
      assert.rejects(startFork({ kv, credentials, options, parts }, { sharesCredentials }, start), /enough/);
    await fork({ ...users, ...anyway }, false);
    await fork({ ...users, ...anyway }, true);
    await fork(rules, false);
    await fork(rules, true);
    const own = { inMemory: true, securePort: 0, processNodes: 0 };
    assert.deepEqual(JSON.parse(JSON.stringify(given)), [
      { ...anyway, ...own },
      { ...users, ...anyway, ...own },
      { anonymousAuth: false, ...own },
      { ...rules, ...own },
    ]);
  });
});

describe('forks of clients', () => {
  const request = { revision: 7, port: 7443, sharesCredentials: true };

  it('start with the options of the request', async () => {
    const asked: (ForkStartOptions | undefined)[] = [];
    const starter = forkStarter(async (options) => {
      asked.push(options);
      throw new KVError('compacted', 'gone');
    });
    await assert.rejects(starter(request), { code: 'compacted' });
    assert.deepEqual(asked, [{ revision: 7, securePort: 7443, sharesCredentials: true }]);
  });

  it('that cannot start because of a request get 400', async () => {
    const starter = forkStarter(() => Promise.reject(new StartError('environment', 'port 7443 is in use')));
    const error: unknown = await starter(request).catch((reason: unknown) => reason);
    assert.ok(error instanceof StatusError);
    assert.deepEqual([error.code, error.message], [400, 'port 7443 is in use']);
  });
});
