import { deploy, image, rolled, pod, rs, D, tpl } from './_lib.mjs';
const roll = (t, i) => t.patch('Deployment', 'web', image('c', i), { type: 'smp', what: `set image ${i}` });
const stuck = { spec: { nodeSelector: { no: 'where' } } };
export default {
  create: async t => { await t.create(deploy('web', 3)); await rolled(t, 'web', 3); await t.snap('created', D); },
  scale: async t => { await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.scale('Deployment', 'web', 4); await rolled(t, 'web', 4); await t.snap('up', D); await t.scale('Deployment', 'web', 0); await t.until('no pods at all', async () => !(await t.list('Pod')).length); await t.snap('to nought', D); },
  'rolling-numbers': async t => { await t.create(deploy('web', 4, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } })); await rolled(t, 'web', 4); await roll(t, 'img:2'); await rolled(t, 'web', 4); await t.snap('rolled', D); },
  'rolling-percent': async t => { await t.create(deploy('web', 5, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '40%', maxUnavailable: '0%' } } })); await rolled(t, 'web', 5); await roll(t, 'img:2'); await rolled(t, 'web', 5); await t.snap('rolled', D); },
  recreate: async t => { await t.create(deploy('web', 2, { strategy: { type: 'Recreate' } })); await rolled(t, 'web', 2); await roll(t, 'img:2'); await rolled(t, 'web', 2); await t.snap('recreated', D); },
  pause: async t => {
    await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.patch('Deployment', 'web', { spec: { paused: true } }); await t.cond('Deployment', 'web', 'Progressing', 'Unknown', 'DeploymentPaused'); await roll(t, 'img:2'); await t.sleep(1500); await t.snap('paused with a new image', ['Deployment', 'ReplicaSet']);
    await t.scale('Deployment', 'web', 3); await t.pods(3, null, { ready: true }); await t.snap('scaled while paused', ['Deployment', 'ReplicaSet']);
    await t.patch('Deployment', 'web', { spec: { paused: false } }); await rolled(t, 'web', 3); await t.snap('resumed', D);
  },
  'paused-from-the-start': async t => { await t.create(deploy('web', 2, { paused: true })); await t.sleep(2000); await t.snap('paused', D); },
  undo: async t => {
    await t.create(deploy('web', 2, { m: { annotations: { 'kubernetes.io/change-cause': 'first' } } })); await rolled(t, 'web', 2);
    await t.patch('Deployment', 'web', { metadata: { annotations: { 'kubernetes.io/change-cause': 'second' } }, ...image('c', 'img:2') }, { type: 'smp' }); await rolled(t, 'web', 2); await t.snap('second', ['Deployment', 'ReplicaSet']);
    const old = (await t.list('ReplicaSet')).find(r => r.metadata.annotations['deployment.kubernetes.io/revision'] === '1'), template = structuredClone(old.spec.template); delete template.metadata.labels['pod-template-hash'];
    await t.patch('Deployment', 'web', [{ op: 'replace', path: '/spec/template', value: template }, { op: 'replace', path: '/metadata/annotations', value: { 'deployment.kubernetes.io/revision': '2', 'kubernetes.io/change-cause': 'first' } }], { type: 'json', what: 'rollout undo' }); await rolled(t, 'web', 2); await t.snap('undone', ['Deployment', 'ReplicaSet']);
  },
  'history-limit': async t => { await t.create(deploy('web', 1, { revisionHistoryLimit: 1 })); await rolled(t, 'web', 1); for (const i of [2, 3, 4]) { await roll(t, 'img:' + i); await rolled(t, 'web', 1); } await t.snap('one old', ['Deployment', 'ReplicaSet']); await t.patch('Deployment', 'web', { spec: { revisionHistoryLimit: 0 } }); await t.until('one replica set', async () => (await t.list('ReplicaSet')).length === 1); await t.snap('none old', ['Deployment', 'ReplicaSet']); },
  'progress-deadline': async t => {
    await t.create(deploy('web', 2, { progressDeadlineSeconds: 3, t: stuck })); await t.cond('Deployment', 'web', 'Progressing', 'False', 'ProgressDeadlineExceeded'); await t.snap('exceeded', ['Deployment', 'ReplicaSet']);
    await t.patch('Deployment', 'web', { spec: { template: { spec: { nodeSelector: null } } } }); await rolled(t, 'web', 2); await t.snap('mended', D);
  },
  'stuck-rollout': async t => { // Proportional scaling during a rollout.
    await t.create(deploy('web', 10, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } })); await rolled(t, 'web', 10); await t.patch('Deployment', 'web', { spec: { template: { spec: { nodeSelector: { no: 'where' } } } } }, { what: 'set nodeSelector nowhere' });
    await t.until('8 old and 5 new', async () => { const l = (await t.list('ReplicaSet')).map(r => [r.spec.replicas, r.status.replicas]).sort((a, b) => b[0] - a[0]); return !(await t.list('Pod')).some(p => p.metadata.deletionTimestamp) && l.length === 2 && l[0][0] === 8 && l[0][1] === 8 && l[1][1] === 5; }); await t.snap('stuck', ['Deployment', 'ReplicaSet']);
    await t.scale('Deployment', 'web', 15); await t.until('20 pods wanted or nearly', async () => { const l = await t.list('ReplicaSet'); return l.reduce((n, r) => n + r.spec.replicas, 0) === 18 && l.every(r => r.status.replicas === r.spec.replicas && (!r.metadata.annotations['deployment.kubernetes.io/revision'].match(/^1$/) || r.status.availableReplicas === r.spec.replicas)); }); await t.snap('proportionally up', ['Deployment', 'ReplicaSet']);
    await t.scale('Deployment', 'web', 5); await t.until('8 pods', async () => { const l = await t.list('ReplicaSet'); return l.reduce((n, r) => n + r.spec.replicas, 0) <= 8 && l.every(r => (r.status.replicas ?? 0) === r.spec.replicas) && !(await t.list('Pod')).some(p => p.metadata.deletionTimestamp); }); await t.snap('proportionally down', ['Deployment', 'ReplicaSet']);
  },
  adoption: async t => { await t.create(rs('older', 2, { app: 'web' })); await t.pods(2, null, { ready: true }); await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.snap('adopted', D); },
  'adoption-of-equal-template': async t => { await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.del('Deployment', 'web', { propagationPolicy: 'Orphan' }); await t.until('orphaned', async () => !(await t.list('ReplicaSet'))[0].metadata.ownerReferences); await t.snap('orphans', ['ReplicaSet', 'Pod']); await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.snap('adopted again', D); },
  'release-replicaset': async t => { await t.create(deploy('web', 1)); await rolled(t, 'web', 1); const r = (await t.list('ReplicaSet'))[0]; await t.patch('ReplicaSet', r.metadata.name, { metadata: { labels: { app: 'other' } } }); await t.until('two replica sets', async () => (await t.list('ReplicaSet')).length === 2); await rolled(t, 'web', 1).catch(() => {}); await t.snap('released', D); },
  'min-ready': async t => { await t.create(deploy('web', 2, { minReadySeconds: 4 })); await t.pods(2, null, { ready: true }); await t.snap('ready, not available', ['Deployment', 'ReplicaSet'], { quiet: 0 }); await rolled(t, 'web', 2); await t.snap('available', ['Deployment', 'ReplicaSet']); },
  'only-labels-of-template': async t => { await t.create(deploy('web', 2)); await rolled(t, 'web', 2); await t.patch('Deployment', 'web', { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2020-01-01T00:00:00Z' } } } } }, { what: 'rollout restart' }); await rolled(t, 'web', 2); await t.snap('restarted', ['Deployment', 'ReplicaSet']); },
  'surge-and-unavailable-nought': async t => { await t.create(deploy('web', 3, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1%', maxUnavailable: '1%' } } })); await rolled(t, 'web', 3); await roll(t, 'img:2'); await rolled(t, 'web', 3); await t.snap('rolled', ['Deployment', 'ReplicaSet']); },
};
void pod; void tpl;
