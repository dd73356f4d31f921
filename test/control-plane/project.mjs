/** The part of an object that a snapshot keeps. */
import { isClusterScoped } from './kinds.mjs';

/** Fields that defaulting fills in the same way for all pods. */
const podNoise = new Set([
  'dnsPolicy',
  'enableServiceLinks',
  'preemptionPolicy',
  'securityContext',
  'serviceAccount',
  'serviceAccountName',
  'terminationGracePeriodSeconds',
  'schedulerName',
]);
const containerNoise = new Set(['terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy']);
const podStatusNoise = new Set([
  'hostIP',
  'hostIPs',
  'podIP',
  'podIPs',
  'startTime',
  'containerStatuses',
  'initContainerStatuses',
]);

export const isEmpty = (value) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
const compact = (object, names) =>
  Object.fromEntries(Object.entries(without(object, names)).filter(([, value]) => !isEmpty(value)));

/** `isWhole` keeps all of a pod or node. */
export function project(kind, object, isWhole) {
  const { metadata, spec, status, ...rest } = object;
  const { apiVersion: _, kind: __, ...others } = rest;
  const kept = { ...others, ...dataOf(kind, object) };
  kept.metadata = without(metadata, new Set(isClusterScoped(kind) ? [] : ['namespace']));
  // It counts the steps, which depend on speed.
  if (kind === 'EndpointSlice') delete kept.metadata.generation;
  if (kind === 'Node' && !isWhole) {
    if (spec) kept.spec = { ...spec };
    kept.status = { conditions: status?.conditions };
    return kept;
  }
  if (spec) kept.spec = specOf(kind, spec, isWhole);
  if (status) kept.status = statusOf(kind, status, isWhole);
  return kept;
}

function dataOf(kind, { data }) {
  const keys = { data: Object.keys(data ?? {}).sort() };
  if (kind === 'ControllerRevision') return { data: { images: imagesOf(data?.spec?.template?.spec) } };
  if (kind === 'Secret' && data) return keys;
  return kind === 'ConfigMap' && data?.['ca.crt'] ? keys : {};
}

function specOf(kind, spec, isWhole) {
  if (kind === 'Pod') return isWhole ? spec : podSpec(spec);
  if (kind === 'CertificateSigningRequest') return { ...spec, request: '<pem>' };
  return {
    ...spec,
    ...(spec.template ? { template: templateOf(spec.template) } : {}),
    ...(spec.jobTemplate ? { jobTemplate: undefined } : {}),
  };
}

function statusOf(kind, status, isWhole) {
  if (kind === 'Pod' && !isWhole) return podStatus(status);
  return kind === 'CertificateSigningRequest' && status.certificate ? { ...status, certificate: '<pem>' } : status;
}

const isTokenVolume = (volume) => (volume?.name ?? '').startsWith('kube-api-access-');

function podSpec(spec) {
  const volumes = spec.volumes?.filter((volume) => !isTokenVolume(volume));
  const containers = spec.containers?.map(container);
  return compact({ ...spec, containers, initContainers: spec.initContainers?.map(container), volumes }, podNoise);
}

const container = (each) =>
  compact({ ...each, volumeMounts: each.volumeMounts?.filter((mount) => !isTokenVolume(mount)) }, containerNoise);

function podStatus(status) {
  const { initContainerStatuses, containerStatuses } = status;
  return {
    ...without(status, podStatusNoise),
    ...(initContainerStatuses ? { initContainerStatuses: initContainerStatuses.map(containerStatus) } : {}),
    ...(containerStatuses ? { containerStatuses: containerStatuses.map(containerStatus) } : {}),
  };
}

const containerStatus = ({ name, ready, restartCount, started, state = {} }) => ({
  name,
  ready,
  restartCount,
  ...(started === undefined ? {} : { started }),
  state: Object.entries(state)
    .map(([word, { reason, exitCode }]) => [word, reason, exitCode].filter((part) => part !== undefined).join(' '))
    .join(),
});

const imagesOf = (podSpec) => podSpec?.containers?.map(({ image }) => image);

const templateOf = ({ metadata, spec }) => ({
  labels: metadata?.labels,
  ...(metadata?.annotations ? { annotations: metadata.annotations } : {}),
  images: imagesOf(spec),
});
