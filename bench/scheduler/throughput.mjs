/**
 * Pods on simulated nodes, with control loops, scheduler and nodes in the process of a server in memory. Figures: pods a second from the first create
 * until all run, CPU, memory, and the requests and writes of each pod by kind. The rate of writes is not limited.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, timed, toDigits } from '../support/figures.mjs';
import { newRequests, requestCounts, sumOf, writesOf } from '../support/request-counts.mjs';
import { Server, Store } from '../support/server.mjs';
import { silence, until } from '../support/until.mjs';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '10000' },
    idle: { type: 'string', default: '20' },
  },
});
const [nodes, pods] = [Number(options.nodes), Number(options.pods)];
const IN_FLIGHT = 64;
const UNLIMITED = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {qps: 100000, burst: 100000}
`;

const store = await Store.open('memory');
const configuration = join(store.folder, 'scheduler.yaml');
writeFileSync(configuration, UNLIMITED);
const server = await Server.start(store, {
  controllers: '*',
  flags: ['--scheduler=true', `--scheduler-config=${configuration}`, `--nodes=${nodes}`],
});
const client = server.connect();
try {
  await nodesReady();
  await idle('idle nodes');
  await schedule();
  await idle('idle nodes with pods');
} finally {
  client.close();
  await server.stop();
  await store.close();
}

async function nodesReady() {
  await until(async () => {
    const { items } = await client.read('/api/v1/nodes');
    const ready = items.filter(({ spec, status }) => {
      const condition = status.conditions?.find(({ type }) => type === 'Ready');
      return condition?.status === 'True' && spec.taints === undefined;
    });
    return ready.length === nodes;
  });
  await until(() => client.read('/api/v1/namespaces/default/serviceaccounts/default'));
}

async function schedule() {
  const path = '/api/v1/namespaces/default/pods';
  // Heartbeats go on.
  const isHeartbeat = ([name]) => name.endsWith(' leases') || name.endsWith(' nodes/status');
  const counts = async () => {
    const all = Object.entries(requestCounts(await client.text('/metrics')));
    return Object.fromEntries(all.filter((entry) => !isHeartbeat(entry)));
  };
  const { resourceVersion } = (await client.read(`${path}?limit=1`)).metadata;
  const running = client.watch(
    `${path}?watch=1&fieldSelector=status.phase%3DRunning&resourceVersion=${resourceVersion}`,
    pods,
  );
  await running.open;
  const before = await counts();
  let createdAfter = 0;
  const { wallSeconds, cpuSeconds } = await timed(server, async () => {
    const start = performance.now();
    await inParallel(pods, IN_FLIGHT, (index) => client.send('POST', path, JSON.stringify(podObject(index))));
    createdAfter = (performance.now() - start) / 1000;
    await running.done;
  });
  await silence(counts);
  const { 'POST pods': _own, ...requests } = newRequests(before, await counts());
  print({
    figure: 'from create to Running',
    nodes,
    pods,
    podsPerSecond: Math.round(pods / wallSeconds),
    createsPerSecond: Math.round(pods / createdAfter),
    podsPerCpuSecond: Math.round(pods / cpuSeconds),
    cpuSeconds: toDigits(cpuSeconds, 1),
    requestsPerPod: toDigits(sumOf(requests) / pods, 3),
    residentMegabytes: megabytes(server.residentBytes()),
    writes: writesOf(requests),
  });
}

async function idle(figure) {
  const seconds = Number(options.idle);
  const cpu = server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const cores = (server.cpuSeconds() - cpu) / seconds;
  print({ figure, nodes, cores: toDigits(cores, 4), residentMegabytes: megabytes(server.residentBytes()) });
}

function podObject(index) {
  const requests = { cpu: '10m', memory: '16Mi' };
  return {
    metadata: { name: `pod-${index}`, labels: { app: 'bench' } },
    spec: { containers: [{ name: 'c', image: 'example.com/app:1', resources: { requests } }] },
  };
}
