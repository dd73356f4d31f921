import type { Job } from '@binnacle/client/kinds/batch/v1';
import type { Pod, PodSpec } from '@binnacle/client/kinds/core/v1';
import { podFromTemplate } from '../common/index.js';
import { rulingOn } from './failure-policy.js';
import {
  COMPLETION_INDEX,
  ignoredIndexFailures,
  INDEX_FAILURES,
  INDEX_IGNORED_FAILURES,
  indexFailures,
  TRACKING_FINALIZER,
} from './job-pods.js';

/** Names longer than that leave no room for five random characters. */
const MAXIMUM_PREFIX = 58;

type Container = NonNullable<PodSpec['containers']>[number];

/** A pod for a Job without indexes. */
export function podOfJob(job: Job): Pod {
  const pod = podFromTemplate(job.spec?.template, job);
  const finalizers = pod.metadata.finalizers ?? [];
  if (finalizers.includes(TRACKING_FINALIZER)) return pod;
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, TRACKING_FINALIZER] } };
}

/** A pod for an index of a Job. `before` is the failed pod of the index that it takes the place of. */
export function podOfIndex(job: Job, index: number, before: Pod | undefined): Pod {
  const pod = podOfJob(job);
  const { metadata, spec } = pod;
  const text = String(index);
  const annotations = { ...metadata.annotations, [COMPLETION_INDEX]: text, ...failureCounts(job, before) };
  const labels = { ...metadata.labels, [COMPLETION_INDEX]: text };
  const { name = '' } = job.metadata;
  return {
    ...pod,
    metadata: { ...metadata, generateName: indexPrefix(name, index), labels, annotations },
    ...(spec === undefined ? {} : { spec: { ...withIndexVariable(spec), hostname: `${name}-${index}` } }),
  };
}

/** The Job's name, cut so that the index stays. Upstream: `podGenerateNameWithIndex`. */
function indexPrefix(name: string, index: number): string {
  const suffix = `-${index}-`;
  return name.slice(0, MAXIMUM_PREFIX - suffix.length) + suffix;
}

/** None without a back-off limit per index. */
function failureCounts(job: Job, before: Pod | undefined): Record<string, string> {
  if (job.spec?.backoffLimitPerIndex === undefined) return {};
  if (before === undefined) return { [INDEX_FAILURES]: '0' };
  const { counts } = rulingOn(job.spec.podFailurePolicy, before);
  const ignored = ignoredIndexFailures(before) + (counts ? 0 : 1);
  return {
    [INDEX_FAILURES]: String(indexFailures(before) + (counts ? 1 : 0)),
    ...(ignored > 0 ? { [INDEX_IGNORED_FAILURES]: String(ignored) } : {}),
  };
}

function withIndexVariable(spec: PodSpec): PodSpec {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withVariable) }),
    ...(containers === undefined ? {} : { containers: containers.map(withVariable) }),
  };
}

function withVariable(container: Container): Container {
  const name = 'JOB_COMPLETION_INDEX';
  const { env = [] } = container;
  if (env.some((variable) => variable.name === name)) return container;
  const fieldPath = `metadata.labels['${COMPLETION_INDEX}']`;
  return { ...container, env: [...env, { name, valueFrom: { fieldRef: { fieldPath } } }] };
}
