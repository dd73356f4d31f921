/** What the walks make, as small as it can be, and what they wait for. */

const image = (release) => `registry.example.com/app:${release}`;

/** A template of pods labelled `app: NAME`. */
export const template = (name, release = 1, spec = {}) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'app', image: image(release) }], ...spec },
});

export const pod = (name, spec) => ({ apiVersion: 'v1', kind: 'Pod', ...template(name, 1, spec), metadata: { name } });

/** A Deployment, StatefulSet or DaemonSet of such pods. */
export const workload = (kind, name, spec = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});

export const job = (name, spec = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: template(name, 1, { restartPolicy: 'Never' }), ...spec },
});

/** The patch that brings another release. */
export const releasePatch = (release) => ({
  type: 'strategic',
  body: { spec: { template: { spec: { containers: [{ name: 'app', image: image(release) }] } } } },
});

export const runsRelease =
  (release) =>
  ({ spec }) =>
    spec.containers[0].image === image(release);

/** The condition of the type is as given. */
export const hasCondition =
  (type, status = 'True', reason) =>
  (object) =>
    (object.status?.conditions ?? []).some(
      (condition) =>
        condition.type === type && condition.status === status && (reason === undefined || condition.reason === reason),
    );

/** Its controller has seen the newest spec, and the status holds these numbers. */
export const hasCounts = (counts) => (object) =>
  object.status?.observedGeneration === object.metadata.generation &&
  Object.entries(counts).every(([field, count]) => (object.status[field] ?? 0) === count);
