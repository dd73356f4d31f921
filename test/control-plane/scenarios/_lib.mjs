// Makers of objects. Pods run on the hollow nodes; `idle` ones name a scheduler that does not exist, so only the player writes their status.
export const meta = (name, m = {}) => ({ name, ...m });
export const box = (image = 'img:1', c = {}) => ({ name: 'c', image, imagePullPolicy: 'IfNotPresent', ...c });
export const tpl = (labels, { image, idle, c, spec, annotations } = {}) => ({ metadata: { labels, ...(annotations ? { annotations } : {}) }, spec: { terminationGracePeriodSeconds: 1, containers: [box(image, c)], ...(idle ? { schedulerName: 'idle' } : {}), ...spec } });
export const pod = (name, { labels, annotations, finalizers, ...o } = {}) => ({ kind: 'Pod', metadata: meta(name, { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}), ...(finalizers ? { finalizers } : {}) }), spec: tpl({}, o).spec });
const set = kind => (name, replicas, { t, m, app = name, ...spec } = {}) => ({ kind, metadata: meta(name, m), spec: { replicas, selector: kind === 'ReplicationController' ? { app } : { matchLabels: { app } }, template: tpl({ app }, t), ...spec } });
export const deploy = set('Deployment'), rs = set('ReplicaSet'), rc = set('ReplicationController'), sts = (name, replicas, o = {}) => set('StatefulSet')(name, replicas, { serviceName: name, ...o });
export const ds = (name, o) => { const x = set('DaemonSet')(name, 0, o); delete x.spec.replicas; return x; };
export const job = (name, spec = {}, { t, m } = {}) => ({ kind: 'Job', metadata: meta(name, m), spec: { template: tpl({ app: name }, { idle: true, ...t, spec: { restartPolicy: 'Never', ...t?.spec } }), ...spec } });
export const svc = (name, spec, m) => ({ kind: 'Service', metadata: meta(name, m), spec });
export const cm = (name, m = {}) => ({ kind: 'ConfigMap', metadata: meta(name, m), data: { a: 'b' } });
export const image = (container, i) => ({ spec: { template: { spec: { containers: [{ name: container, image: i }] } } } });
export const owner = (x, o = {}) => ({ apiVersion: x.apiVersion, kind: x.kind, name: x.metadata.name, uid: x.metadata.uid, ...o });
export const D = ['Deployment', 'ReplicaSet', 'Pod'];
// Waits until the rollout of a deployment is complete.
export const rolled = (t, name, replicas, seconds) => t.until(`deployment ${name} complete`, async () => { const d = await t.get('Deployment', name); const s = d.status; return s.observedGeneration === d.metadata.generation && (s.replicas ?? 0) === replicas && (s.updatedReplicas ?? 0) === replicas && (s.availableReplicas ?? 0) === replicas && !s.terminatingReplicas && (await t.list('Pod')).every(p => p.status.phase === 'Running' && p.status.containerStatuses?.every(c => c.state.running)); }, seconds);
