/**
 * The first screen of the README: the time from `npm start -- --nodes 3` until the server is ready, and until three pods of a Deployment run, and the
 * CPU and the memory of the server then. The build must be up to date.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, credentialsOf } from '../support/client.mjs';
import { megabytes, print, toDigits } from '../support/figures.mjs';
import { cpuSecondsOf, memoryBytesOf } from '../support/processes.mjs';
import { root, Store } from '../support/server.mjs';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
const REPLICAS = 3;
const POLL_MS = 10;
const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } },
  },
};

for (let run = 0; run < Number(options.runs); run++) print(await measure());

async function measure() {
  const store = await Store.open('memory');
  const kubeconfig = join(store.folder, 'kubeconfig');
  const start = performance.now();
  const elapsed = () => toDigits((performance.now() - start) / 1000, 2);
  const flags = ['--nodes=3', '--in-memory', '--secure-port=0', `--write-kubeconfig=${kubeconfig}`];
  const npm = spawn('npm', ['start', '--', ...flags], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await servedAt(npm);
    const readySeconds = elapsed();
    const client = new Client(url, credentialsOf(readFileSync(kubeconfig, 'utf8')));
    await client.send('POST', '/apis/apps/v1/namespaces/default/deployments', JSON.stringify(deployment));
    while ((await running(client)) < REPLICAS) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const runningSeconds = elapsed();
    client.close();
    const pid = serverOf(npm.pid);
    const [cpuSeconds, resident] = [cpuSecondsOf(pid), memoryBytesOf(pid, 'VmRSS')];
    return {
      figure: 'npm start to running pods',
      readySeconds,
      runningSeconds,
      cpuSeconds,
      residentMegabytes: megabytes(resident),
    };
  } finally {
    const exited = once(npm, 'exit');
    npm.kill('SIGTERM');
    await exited;
    await store.close();
  }
}

async function running(client) {
  const { items } = await client.read('/api/v1/namespaces/default/pods');
  return items.filter(({ status }) => status.phase === 'Running').length;
}

function servedAt(npm) {
  return new Promise((done, failed) => {
    let text = '';
    npm.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /Kubernetes API at (https:\/\/\S+)/.exec(text)?.[1];
      if (url !== undefined) done(url);
    });
    npm.once('exit', (code) => failed(new Error(`npm ended with ${code}`)));
  });
}

/** npm starts a shell, which becomes the server. */
function serverOf(pid) {
  const child = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')[0];
  const command = readFileSync(`/proc/${child}/cmdline`, 'utf8');
  return command.includes('binnacle.js') ? Number(child) : serverOf(Number(child));
}
