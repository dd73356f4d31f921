/** Nodes without a kubelet. The player writes their status and renews their leases. */
import { timestamp } from './actions.mjs';
import { poll } from './poll.mjs';

const HEARTBEAT_MS = 8000;

const pressures = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
].map(([type, reason, message]) => ({ type, status: 'False', reason, message }));

/**
 * Resolves when the node is no longer tainted as not ready, or after 10 s. The result is a function that ends the
 * heartbeats; its `ready(status, reason)` changes the Ready condition.
 */
export async function startNode(play, name, options = {}) {
  const { labels = {}, taints, unschedulable, heartbeat = true, ready: status = 'True' } = options;
  const { allocatable = { cpu: '4', memory: '8Gi', pods: '110' } } = options;
  const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
  const spec = { ...(taints ? { taints } : {}), ...(unschedulable ? { unschedulable } : {}) };
  await play.raw('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata, spec });

  let ready = { type: 'Ready', status, reason: 'KubeletReady', message: 'kubelet is posting ready status' };
  let since = timestamp();
  const beat = async () => {
    const times = { lastHeartbeatTime: timestamp(), lastTransitionTime: since };
    const conditions = [...pressures, ready].map((condition) => ({ ...condition, ...times }));
    const nodeStatus = { allocatable, capacity: allocatable, conditions };
    await play.raw('PATCH', `/api/v1/nodes/${name}/status`, { status: nodeStatus }, 'smp');
    await renewLease(play, name);
  };
  await beat();
  const timer = heartbeat ? setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS) : undefined;
  await untainted(play, name);
  const stop = () => clearInterval(timer);
  stop.ready = async (status, reason) => {
    ready = { type: 'Ready', status, reason, message: 'by the player' };
    since = timestamp();
    await beat();
  };
  return stop;
}

async function renewLease(play, name) {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
  const path = (name) => play.path('Lease', name, undefined, 'kube-node-lease');
  const { status } = await play.raw('PATCH', path(name), { spec }, 'merge');
  if (status !== 404) return;
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
  await play.raw('POST', path(), lease);
}

function untainted(play, name) {
  const isUntainted = async () => {
    const node = await play.get('Node', name);
    return !node?.spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready');
  };
  return poll(isUntainted, 40, 250);
}
