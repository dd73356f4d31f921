/** A kube-apiserver with an etcd, as envtest starts them. */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EtcdProcess } from '@binnacle/kv/testing';
import { freePort } from '../../test/interop/ports.mjs';
import { cpuSecondsOf, memoryBytesOf } from './processes.mjs';

const TOKEN = 'bench';
const POLL_MS = 20;

/**
 * Resolves when the server is ready, to `{ url, token, cpuSeconds, memoryBytes(field), stop }`; CPU and memory are of both processes. `durable`:
 * etcd syncs its writes to the disk. `users`: further users, whose tokens are their names.
 */
export async function startUpstream(kubeApiserver, { durable = false, users = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-upstream-'));
  const port = await freePort();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(folder, 'key.pem');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const others = users.map((name) => `${name},${name},${name}\n`);
  writeFileSync(join(folder, 'tokens.csv'), `${TOKEN},admin,1,system:masters\n${others.join('')}`);
  const store = await EtcdProcess.start(durable ? ['--quota-backend-bytes=8589934592'] : ['--unsafe-no-fsync']);
  const parameters = [
    `--etcd-servers=${store.endpoint}`,
    `--cert-dir=${folder}/certificates`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--authorization-mode=RBAC',
    `--token-auth-file=${folder}/tokens.csv`,
    '--service-account-issuer=https://bench',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/24',
  ];
  const server = spawn(kubeApiserver, parameters, { stdio: 'ignore' });
  const url = `https://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (server.exitCode !== null) throw new Error(`kube-apiserver has ended with ${server.exitCode}`);
    await pause(POLL_MS);
  }
  return {
    url,
    token: TOKEN,
    cpuSeconds: () => cpuSecondsOf(server.pid) + cpuSecondsOf(store.pid),
    memoryBytes: (field) => memoryBytesOf(server.pid, field) + memoryBytesOf(store.pid, field),
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
      await store.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function isReady(url) {
  return new Promise((resolve) => {
    get(`${url}/readyz`, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
