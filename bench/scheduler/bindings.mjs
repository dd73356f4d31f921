/**
 * Pods on nodes that nothing runs, with Binnacle's scheduler and with kube-scheduler, each in a process of its own, in turns on one server in memory.
 * Figures: pods bound a second from the first create on, CPU of the scheduler and of the server per pod, memory, requests per pod.
 */
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, timed, toDigits } from '../support/figures.mjs';
import { newRequests, requestCounts, sumOf, writesOf } from '../support/request-counts.mjs';
import { readyScheduler, schedulerNames, startScheduler } from '../support/scheduler.mjs';
import { Server, Store } from '../support/server.mjs';
import { silence, until } from '../support/until.mjs';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '1' },
    schedulers: { type: 'string', default: schedulerNames.join() },
  },
});
const schedulers = options.schedulers.split(',');
const [nodes, pods] = [Number(options.nodes), Number(options.pods)];
const IN_FLIGHT = 64;

// A build of kube-scheduler takes minutes the first time, and is not measured.
for (const name of schedulers) await readyScheduler(name);

const store = await Store.open('memory');
const server = await Server.start(store, { controllers: 'serviceaccount-controller' });
const client = server.connect();
const counts = async () => requestCounts(await client.text('/metrics'));
try {
  await inParallel(nodes, IN_FLIGHT, (index) => createNode(`node-${index}`));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of schedulers) await measure(name, `${name}-${round}`);
  }
} finally {
  client.close();
  await server.stop();
  await store.close();
}

async function measure(name, namespace) {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  await client.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
  await until(() => client.read(`/api/v1/namespaces/${namespace}/serviceaccounts/default`));
  const scheduler = await startScheduler(name, store);
  // It has its caches when it binds the first pod.
  const { send } = boundAfter(path, 1);
  await send('first');
  await silence(counts);
  const before = await counts();
  const cpu = scheduler.cpuSeconds();
  const many = boundAfter(path, pods);
  const { wallSeconds, cpuSeconds } = await timed(server, () => many.send('pod'));
  const schedulerSeconds = scheduler.cpuSeconds() - cpu;
  await silence(counts);
  const { 'POST pods': _own, ...requests } = newRequests(before, await counts());
  const perPod = (seconds) => Math.round((seconds * 1e6) / pods);
  print({
    figure: 'from create to bound',
    scheduler: name,
    nodes,
    pods,
    podsPerSecond: Math.round(pods / wallSeconds),
    schedulerMicrosecondsPerPod: perPod(schedulerSeconds),
    serverMicrosecondsPerPod: perPod(cpuSeconds),
    schedulerMegabytes: megabytes(scheduler.residentBytes()),
    requestsPerPod: toDigits(sumOf(requests) / pods, 3),
    writes: writesOf(requests),
  });
  await scheduler.stop();
  // The next scheduler starts without them.
  await client.send('DELETE', `${path}?gracePeriodSeconds=0`);
}

/** Creates pods, and waits until all are bound. */
function boundAfter(path, count) {
  return {
    send: async (prefix) => {
      const { resourceVersion } = (await client.read(`${path}?limit=1`)).metadata;
      const bound = client.watch(
        `${path}?watch=1&fieldSelector=spec.nodeName!%3D&resourceVersion=${resourceVersion}`,
        count,
      );
      await bound.open;
      await inParallel(count, IN_FLIGHT, (index) =>
        client.send('POST', path, JSON.stringify(podObject(`${prefix}-${index}`))),
      );
      await bound.done;
    },
  };
}

async function createNode(name) {
  const capacity = { cpu: '8', memory: '32Gi', pods: '110' };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' };
  const metadata = { name, labels: { 'kubernetes.io/hostname': name } };
  const node = { metadata, status: { capacity, allocatable: capacity, conditions: [ready] } };
  await client.send('POST', '/api/v1/nodes', JSON.stringify(node));
  // A new node has a taint that a control loop would remove.
  const untainted = JSON.stringify({ spec: { taints: null } });
  await client.send('PATCH', `/api/v1/nodes/${name}`, untainted, 'application/merge-patch+json');
}

function podObject(name) {
  const requests = { cpu: '10m', memory: '16Mi' };
  return {
    metadata: { name, labels: { app: 'bench' } },
    spec: { containers: [{ name: 'c', image: 'example.com/app:1', resources: { requests } }] },
  };
}
