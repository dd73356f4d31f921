import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createIssuer } from '@binnacle/client/certificates';
import { start } from 'binnacle';
import { read } from '../connect/read.mjs';
import { Kubectl } from '../e2e/kubectl.mjs';
import { findKubectls } from '../e2e/kubectl-clients.mjs';

const newest = findKubectls().at(-1);
const program = fileURLToPath(new URL('programs.mjs', import.meta.url));
const command = `${process.execPath} ${program}`;

const POD_IP = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };

const pod = (name, container, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: 'c', image: 'web', args: ['web'], ...container }], ...spec },
});

const PODS = [
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' }, stringData: { key: 'hidden' } },
  pod(
    'web',
    {
      env: [POD_IP, { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'secret', key: 'key' } } }],
      ports: [{ name: 'http', containerPort: 8080 }],
      readinessProbe: { httpGet: { port: 'http' }, periodSeconds: 1 },
      volumeMounts: [{ name: 'secret', mountPath: '/etc/secret' }],
    },
    { volumes: [{ name: 'secret', secret: { secretName: 'secret' } }] },
  ),
  pod('crash', { args: ['crash'] }),
  pod('unknown', { image: 'example.com/unknown' }),
];

function hookObjects({ certificate, privateKey }, authority) {
  const labels = { app: 'hook' };
  const service = { name: 'hook', namespace: 'default', path: '/' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'hook' },
      stringData: { 'tls.crt': certificate, 'tls.key': privateKey },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'hook' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'hook',
                image: 'web',
                args: ['hook', '/certs'],
                env: [POD_IP],
                readinessProbe: { tcpSocket: { port: 9443 }, periodSeconds: 1 },
                volumeMounts: [{ name: 'certs', mountPath: '/certs' }],
              },
            ],
            volumes: [{ name: 'certs', secret: { secretName: 'hook' } }],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook' },
      spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hook' },
      webhooks: [
        {
          name: 'hook.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
          objectSelector: { matchExpressions: [{ key: 'deny', operator: 'Exists' }] },
          clientConfig: { caBundle: Buffer.from(authority).toString('base64'), service },
        },
      ],
    },
  ];
}

describe('pods whose containers are processes', { skip: newest === undefined && 'no kubectl on this machine' }, () => {
  let server;
  let folder;
  let kubectl;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binnacle-process-nodes-'));
    process.env.ONLY_THE_SERVER = 'secret';
    server = await start({ inMemory: true, processNodes: 1, allowProcesses: true, imageCommands: [`web=${command}`] });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    kubectl = new Kubectl({ ...newest, kubeconfig, folder });
    await until(async () => (await kubectl.start(['get', 'serviceaccount', 'default']).ended).code === 0);
    await apply(PODS);
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/web', '--timeout=60s']);
  });
  after(async () => {
    kubectl?.stopAll();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });
  const apply = (items) =>
    kubectl.run(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });

  it('have their variables, and none of the server', async () => {
    const { secret, home } = JSON.parse(await kubectl.run(['logs', 'web']));
    assert.deepEqual([secret, home], ['hidden', undefined]);
  });

  it('run commands beside the process, with its files and its account', async () => {
    const script = 'cat /etc/secret/key $BINNACLE_SERVICE_ACCOUNT/namespace; cat; exit 3';
    const exec = (text) => ['exec', '-i', 'web', '--', 'sh', '-c', text];
    const ended = await kubectl.start(exec(script), { input: '!' }).ended;
    assert.deepEqual([ended.code, ended.stdout], [3, 'hiddendefault!']);
    const { user } = JSON.parse(await kubectl.run(exec('cat $KUBECONFIG'))).users[0];
    assert.match(readFileSync(user.tokenFile, 'utf8'), /^ey/);
    assert.match(await kubectl.fails(['exec', 'web', '--', 'no-such-program']), /executable file not found in \$PATH/);
  });

  it('answer on forwarded ports, through proxies and through a service', async () => {
    const forwarding = kubectl.start(['port-forward', 'web', ':8080']);
    await forwarding.printed(/Forwarding from 127\.0\.0\.1:(\d+)/);
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(forwarding.stdout);
    assert.equal(await read(`http://127.0.0.1:${port}/a`), 'web /a\n');
    forwarding.stop();
    await forwarding.ended;
    const raw = (path) => kubectl.run(['get', '--raw', `/api/v1/namespaces/default/${path}`]);
    assert.equal(await raw('pods/web:8080/proxy/b'), 'web /b\n');
    await kubectl.run(['expose', 'pod', 'web', '--port=80', '--target-port=http']);
    await until(
      async () =>
        (await kubectl.start(['get', '--raw', '/api/v1/namespaces/default/services/web/proxy/']).ended).code === 0,
    );
    assert.equal(await raw('services/web/proxy/c'), 'web /c\n');
    if (process.platform !== 'linux') return;
    const { clusterIP } = (await kubectl.json(['get', 'service', 'web'])).spec;
    const place = `${clusterIP.replace(/^\d+\.\d+/, '127.251')}:${process.getuid() === 0 ? 80 : 30_080}`;
    await until(() =>
      read(`http://${place}/`).then(
        () => true,
        () => false,
      ),
    );
    assert.equal(await read(`http://${place}/d`), 'web /d\n');
    assert.equal(JSON.parse(await read('http://127.250.0.1:10256/healthz')).nodeEligible, true);
  });

  it('restart with a backoff, and keep the log of the last run', async () => {
    await until(async () => {
      const [status] = (await kubectl.json(['get', 'pod', 'crash'])).status.containerStatuses ?? [];
      return status?.state?.waiting?.reason === 'CrashLoopBackOff' && status.lastState.terminated.exitCode === 7;
    });
    assert.match(await kubectl.run(['logs', 'crash', '--previous']), /^run \d+\n$/);
  });

  it('wait without a program for their image, and say what to do', async () => {
    const { containerStatuses } = (await kubectl.json(['get', 'pod', 'unknown'])).status;
    assert.equal(containerStatuses[0].state.waiting.reason, 'ErrImageNeverPull');
    await kubectl.prints(['describe', 'pod', 'unknown'], /--image-command 'example\.com\/unknown=COMMAND'/);
  });

  it('are webhooks that answer', async () => {
    const issuer = await createIssuer('hook', Date.now());
    const pair = issuer.issueServing('hook', ['hook.default.svc']);
    await apply(hookObjects(pair, issuer.authority.certificate));
    await kubectl.run(['rollout', 'status', 'deployment/hook', '--timeout=60s']);
    const create = (name, labels) =>
      kubectl.start(['create', '-f', '-'], {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } }),
      }).ended;
    await until(async () => /the process \d+ says no/.test((await create('denied', { deny: 'yes' })).stderr));
    assert.equal((await create('allowed', {})).code, 0);
  });

  it('end as their program does when they are deleted, and their log ends', async () => {
    const { pid } = JSON.parse((await kubectl.run(['logs', 'web'])).split('\n')[0]);
    const following = kubectl.start(['logs', '-f', 'web']);
    await following.printed(/pid/);
    await kubectl.run(['delete', 'pod', 'web', '--timeout=60s']);
    assert.match((await following.ended).stdout, /\nending\n$/);
    assert.equal(isAlive(pid), false);
  });
});

describe('the processes of a server', { skip: newest === undefined && 'no kubectl on this machine' }, () => {
  it('end with it when it is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'binnacle-killed-'));
    const flags = ['--in-memory', '--secure-port=0', `--write-kubeconfig=${join(folder, 'kubeconfig')}`];
    const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
    const nodes = ['--process-nodes=1', '--allow-processes', `--image-command=web=${command}`];
    const server = spawn(process.execPath, [main, 'serve', ...flags, ...nodes], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      server.stdout.on('data', (bytes) => (printed += bytes));
      await until(async () => printed.includes('ready'));
      const kubectl = new Kubectl({ ...newest, kubeconfig: join(folder, 'kubeconfig'), folder });
      await until(async () => (await kubectl.start(['get', 'serviceaccount', 'default']).ended).code === 0);
      await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(pod('web', { env: [POD_IP] })) });
      let logged = '';
      await until(async () => {
        logged = (await kubectl.start(['logs', 'web']).ended).stdout;
        return logged.includes('pid');
      });
      const { pid } = JSON.parse(logged);
      assert.equal(isAlive(pid), true);
      server.kill('SIGKILL');
      await until(async () => !isAlive(pid));
    } finally {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
});

const PATIENCE = 120_000;

async function until(holds) {
  for (const start = Date.now(); Date.now() - start < PATIENCE; await pause(50)) if (await holds()) return;
  assert.fail('it did not come');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
