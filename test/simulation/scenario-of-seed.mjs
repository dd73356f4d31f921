import { pick, seededRandom } from '@binnacle/apimachinery/clock';

/** The control loops that the workloads need. Fewer loops make a run cheaper. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'garbage-collector-controller',
  'pod-garbage-collector-controller',
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'disruption-controller',
  'serviceaccount-controller',
].join();

const labels = (app) => ({ app });
const podTemplate = (app, more = {}) => ({
  metadata: { labels: labels(app) },
  spec: { containers: [{ name: 'c', image: `${app}:1`, resources: { requests: { cpu: '100m' } } }], ...more },
});
const object = (apiVersion, kind, name, spec) => ({ apiVersion, kind, metadata: { name, namespace: 'default' }, spec });

function workloads(random) {
  const draw = (from, to) => from + Math.floor(random.number() * (to - from + 1));
  const strategies = [
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: '50%', maxUnavailable: '25%' },
  ];
  const selector = (app) => ({ selector: { matchLabels: labels(app) } });
  return [
    object('apps/v1', 'Deployment', 'web', {
      replicas: draw(2, 5),
      strategy: { type: 'RollingUpdate', rollingUpdate: pick(random, strategies) },
      ...selector('web'),
      template: podTemplate('web'),
    }),
    object('policy/v1', 'PodDisruptionBudget', 'web', { maxUnavailable: 1, ...selector('web') }),
    object('apps/v1', 'StatefulSet', 'db', {
      replicas: draw(1, 3),
      serviceName: 'db',
      podManagementPolicy: pick(random, ['OrderedReady', 'Parallel']),
      ...selector('db'),
      template: podTemplate('db'),
    }),
    object('apps/v1', 'DaemonSet', 'agent', { ...selector('agent'), template: podTemplate('agent') }),
    object('batch/v1', 'Job', 'task', {
      completions: draw(1, 5),
      parallelism: draw(1, 3),
      template: podTemplate('task', { restartPolicy: 'Never' }),
    }),
    object('batch/v1', 'CronJob', 'tick', {
      schedule: '*/2 * * * *',
      jobTemplate: { spec: { template: podTemplate('tick', { restartPolicy: 'Never' }) } },
    }),
  ];
}

const web = { resource: 'deployments', name: 'web' };
const db = { resource: 'statefulsets', name: 'db' };

/** What a person or a machine does, each at a drawn time. */
const ACTIONS = [
  () => ({ rollout: web }),
  () => ({ rollout: db }),
  () => ({ rollout: { resource: 'daemonsets', name: 'agent' } }),
  (draw) => ({ scale: { ...web, replicas: draw(0, 6) } }),
  (draw) => ({ scale: { ...db, replicas: draw(0, 3) } }),
  (draw) => ({ cutOff: { any: 1, for: `${draw(10, 120)}s` } }),
  () => ({ drain: { any: 1 } }),
  (draw) => ({ evict: { namespace: 'default', atMost: draw(1, 4) } }),
  (_, random) => ({ kill: { component: pick(random, ['controllers', 'scheduler', 'nodes']) } }),
  () => ({ delete: { resource: 'jobs', name: 'task' } }),
];

/** Shares are small, since each applies to every request. */
function faults(random) {
  const share = (most) => (random.number() < 0.5 ? 0 : random.number() * most);
  return {
    watchDelay: random.number() < 0.5 ? 0 : Math.floor(random.number() * 2000),
    brokenWatches: share(0.02),
    expiredWatches: share(0.1),
    conflicts: share(0.1),
    failedWrites: share(0.1),
    lostAnswers: random.number() < 0.3 ? random.number() * 0.05 : 0,
    slowWrites: share(0.1),
    crashes: share(0.01),
  };
}

/** Four minutes of trouble, and then time to settle. `count`: how many actions; `settleFor`: minutes. */
export function scenarioOfSeed(seed, { count = 6, settleFor = 4 } = {}) {
  const random = seededRandom(seed);
  const draw = (from, to) => from + Math.floor(random.number() * (to - from + 1));
  const actions = [{ at: '3s', apply: workloads(random) }];
  // A job that has been deleted cannot be deleted again.
  const used = new Set();
  for (let index = 0; index < count; index++) {
    const action = pick(
      random,
      ACTIONS.filter((each) => !used.has(each)),
    );
    const made = action(draw, random);
    if ('delete' in made || 'drain' in made) used.add(action);
    actions.push({ at: `${draw(20, 240)}s`, ...made });
  }
  actions.push({ at: '245s', faults: {} }, { at: '245s', uncordon: { any: 3 } });
  return {
    runFor: `${4 + settleFor}m`,
    nodes: 3,
    controllers: CONTROLLERS,
    elideHeartbeats: true,
    settles: true,
    faults: faults(random),
    actions,
  };
}
