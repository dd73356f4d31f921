import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import { errorsOfEach, semanticEqual } from '@binnacle/apimachinery/validation';
import { finish } from '@binnacle/apimachinery/work';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../generated/types/core-v1.js';
import { isMirrorPod, podQosClass } from '../../pods/index.js';
import { typeNamed } from '../../table/index.js';
import { each, list } from '../common.js';
import { validateChangedPod } from './pod.js';
import { noPodSpec } from './template.js';

const POD_SPEC = 'io.k8s.api.core.v1.PodSpec';
const CONTAINER = 'io.k8s.api.core.v1.Container';
const ONLY_CPU_AND_MEMORY = 'only cpu and memory resources are mutable';
const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

/** Only the CPU and memory of a running pod may change. Upstream: `ValidatePodResize`. */
export function validatePodResize(object: Pod, old: Pod): FieldError[] {
  if (isMirrorPod(old)) return [forbiddenField('', 'static pods cannot be resized')];
  if (old.spec?.os?.name === 'windows') return [forbiddenField('', 'windows pods cannot be resized')];
  const spec = object.spec ?? noPodSpec;
  const before = old.spec ?? noPodSpec;
  const errors = [...finish(validateChangedPod(object)), ...support(object, old), ...wholePod(spec, before)];
  const order = CONTAINER_LISTS.flatMap((name) => sameContainers(spec[name], before[name], name));
  if (order.length > 0) return [...errors, ...order];
  errors.push(
    ...removedFromContainers(spec, before, 'initContainers'),
    ...removedFromContainers(spec, before, 'containers'),
    ...changedContainers(spec, before),
    ...changedInitContainers(spec, before),
  );
  if (errors.length > 0 || semanticEqual(restored(spec, before), before, typeNamed(POD_SPEC))) return errors;
  return [forbiddenField('spec', ONLY_CPU_AND_MEMORY)];
}

function support(object: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  const qosClass = old.status?.qosClass || podQosClass(old.spec);
  if (qosClass !== podQosClass(object.spec)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.push(invalidValue('spec', object.status?.qosClass ?? '', detail));
  }
  const running = list(old.status?.containerStatuses).find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined) {
    errors.push(forbiddenField('spec', 'Pod running on node without support for resize'));
  }
  return errors;
}

function hasResources({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

function wholePod(spec: PodSpec, old: PodSpec): FieldError[] {
  if (!hasResources(spec) && !hasResources(old)) return [];
  if (old.resources !== undefined && spec.resources === undefined) {
    return [forbiddenField('spec.resources', 'pod-level resources cannot be removed')];
  }
  const errors = removed(spec.resources, old.resources, 'spec.resources', 'pod-level resource');
  if (semanticEqual(withoutChanges(spec.resources, old.resources), old.resources ?? {})) return errors;
  return [...errors, forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level')];
}

function sameContainers(
  containers: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  name: (typeof CONTAINER_LISTS)[number],
): FieldError[] {
  const field = `spec.${name}`;
  if (list(containers).length !== list(old).length) {
    return [forbiddenField(field, `${name} may not be added or removed on resize`)];
  }
  return each(old, field, (container, path, index) =>
    containers?.[index]?.name === container.name
      ? []
      : [forbiddenField(`${path}.name`, `${name} may not be renamed or reordered on resize`)],
  );
}

function removedFromContainers(spec: PodSpec, old: PodSpec, name: (typeof CONTAINER_LISTS)[number]): FieldError[] {
  return each(old[name], `spec.${name}`, ({ resources }, path, index) =>
    removed(spec[name]?.[index]?.resources, resources, `${path}.resources`, 'resource'),
  );
}

function removed(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
  field: string,
  what: string,
): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((part) => {
    const kept = Object.keys(old?.[part] ?? {}).every((name) => Object.hasOwn(resources?.[part] ?? {}, name));
    return kept ? [] : [forbiddenField(`${field}.${part}`, `${what} ${part} cannot be removed`)];
  });
}

function changedContainers(spec: PodSpec, old: PodSpec): FieldError[] {
  return errorsOfEach(spec.containers, (container, index) => {
    const before = old.containers?.[index];
    return semanticEqual(restoredContainer(container, before), before, typeNamed(CONTAINER))
      ? []
      : [forbiddenField('spec', ONLY_CPU_AND_MEMORY)];
  });
}

/** A resize cannot restart init containers that are done. */
function changedInitContainers(spec: PodSpec, old: PodSpec): FieldError[] {
  return each(spec.initContainers, 'spec.initContainers', (container, path, index) => {
    const before = old.initContainers?.[index];
    const errors = semanticEqual(restoredContainer(container, before), before, typeNamed(CONTAINER))
      ? []
      : [forbiddenField(path, 'only cpu and memory resources for init or sidecar containers are mutable')];
    if (container.restartPolicy === 'Always' || semanticEqual(container, before, typeNamed(CONTAINER))) return errors;
    const restarts = list(container.resizePolicy).filter((policy) => policy.restartPolicy === 'RestartContainer');
    const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    const forbidden = [forbiddenField(path, detail)];
    return [...errors, ...errorsOfEach(restarts, () => forbidden)];
  });
}

/** The new spec with every resizable field restored to its old value. */
function restored(spec: PodSpec, old: PodSpec): PodSpec {
  const back = (containers: readonly Container[] | undefined, before: readonly Container[] | undefined) =>
    containers?.map((container, index) => restoredContainer(container, before?.[index]));
  return {
    ...spec,
    ...(spec.resources === undefined
      ? {}
      : { resources: old.resources && withoutChanges(spec.resources, old.resources) }),
    containers: back(spec.containers, old.containers) ?? [],
    initContainers: back(spec.initContainers, old.initContainers),
  };
}

function restoredContainer(container: Container, old: Container | undefined): Container {
  return { ...container, resources: withoutChanges(container.resources, old?.resources) };
}

/** Limits and requests with the old cpu and memory. Drops the claims, like upstream. */
function withoutChanges(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): ResourceRequirements {
  const amounts = (part: 'limits' | 'requests'): { [key: string]: string } => {
    const { cpu: _, memory: __, ...others } = resources?.[part] ?? {};
    const { cpu, memory } = old?.[part] ?? {};
    return { ...others, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  };
  return { limits: amounts('limits'), requests: amounts('requests') };
}
