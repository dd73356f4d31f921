import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { invalidFor, nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from '../../generated/types/autoscaling-v2.js';
import { dnsLabel, each, list, finalizerDomains, optionalOneOf, requireText } from '../common.js';
import { validateContainerResourceName, validateNonNegativeQuantity, validatePositiveQuantity } from '../quantities.js';

// Upstream: `pkg/apis/autoscaling/validation`.

const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const SOURCE_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const WINDOW_MAXIMUM = 3600;
const PERIOD_MAXIMUM = 1800;

export function validateHorizontalPodAutoscaler(object: HorizontalPodAutoscaler): FieldError[] {
  return autoscalerSpec(object.spec, undefined);
}

export function validateHorizontalPodAutoscalerUpdate(
  object: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler,
): FieldError[] {
  return [...finalizerDomains(object), ...autoscalerSpec(object.spec, old.spec)];
}

function autoscalerSpec(
  spec: HorizontalPodAutoscalerSpec | undefined,
  old: HorizontalPodAutoscalerSpec | undefined,
): FieldError[] {
  const { minReplicas, maxReplicas = 0, metrics }: Partial<HorizontalPodAutoscalerSpec> = spec ?? {};
  const lowest = old?.minReplicas === 0 ? 0 : 1;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < lowest) {
    errors.push(invalidValue('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`));
  }
  if (maxReplicas === 0) errors.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  if (maxReplicas < 0) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  errors.push(...scaleTarget(spec?.scaleTargetRef, old?.scaleTargetRef));
  const anyVersion = list(old?.metrics).some(describesWrongVersion);
  errors.push(...each(metrics, 'spec.metrics', (item, path) => metric(item, path, anyVersion)));
  if (minReplicas === 0 && !list(metrics).some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenField('spec.metrics', detail));
  }
  return [
    ...errors,
    ...scalingRules(spec?.behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...scalingRules(spec?.behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

type Reference = CrossVersionObjectReference | undefined;

/** An unchanged target is not validated again. Of the core group, only ReplicationController can be scaled. */
function scaleTarget(target: Reference, old: Reference): FieldError[] {
  const unchanged = old !== undefined && old.apiVersion === target?.apiVersion && old.kind === target?.kind;
  const errors = crossVersionReference(target, 'spec.scaleTargetRef');
  if (unchanged) return errors;
  return [...errors, ...apiVersion(target, target?.kind === 'ReplicationController', 'spec.scaleTargetRef')];
}

function crossVersionReference(reference: Reference, field: string): FieldError[] {
  return (['kind', 'name'] as const).flatMap((name) => {
    const value = reference?.[name] ?? '';
    const path = `${field}.${name}`;
    return value === '' ? [required(path, '')] : invalidFor(path, value, nameIsPathSegment(value, false));
  });
}

function apiVersion(reference: Reference, coreAllowed: boolean, field: string): FieldError[] {
  const text = reference?.apiVersion ?? '';
  const parsed = parseGroupVersion(text);
  const path = `${field}.apiVersion`;
  if (parsed === undefined) return [invalidValue(path, text, `unexpected GroupVersion string: ${text}`)];
  return parsed.group === '' && !coreAllowed ? [invalidValue(path, text, 'apiVersion must specify API group')] : [];
}

/** A stored metric with a wrong version may keep it. */
function describesWrongVersion({ type, object }: MetricSpec): boolean {
  return type === 'Object' && object !== undefined && apiVersion(object.describedObject, true, '').length > 0;
}

function metric(spec: MetricSpec, path: string, anyVersion: boolean): FieldError[] {
  const errors = requireText(spec.type, `${path}.type`, 'must specify a metric source type');
  if (!SOURCE_TYPES.includes(spec.type)) errors.push(notSupported(`${path}.type`, spec.type ?? '', SOURCE_TYPES));
  const present = SOURCES.filter((name) => spec[name] !== undefined);
  const first = present[0];
  if (first !== undefined) errors.push(...metricSource(spec, first, `${path}.${first}`, anyVersion));
  const expected = SOURCES.find((name) => name.toLowerCase() === spec.type?.toLowerCase());
  if (expected === undefined) {
    errors.push(notSupported(`${path}.type`, spec.type ?? '', SOURCE_TYPES));
  } else if (spec[expected] === undefined) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const extra = present.filter((name) => name !== expected);
  return [
    ...errors,
    ...extra.map((name) => forbiddenField(`${path}.${name}`, 'must populate the given metric source only')),
  ];
}

function metricSource(
  spec: MetricSpec,
  name: (typeof SOURCES)[number],
  field: string,
  anyVersion: boolean,
): FieldError[] {
  const target = `${field}.target`;
  switch (name) {
    case 'object': {
      const source = spec.object;
      return [
        ...crossVersionReference(source?.describedObject, `${field}.describedObject`),
        ...(anyVersion ? [] : apiVersion(source?.describedObject, true, `${field}.describedObject`)),
        ...identifier(source?.metric, `${field}.metric`),
        ...metricTarget(source?.target, target),
        ...valueOrAverage(source?.target, target, 'must set either a target value or averageValue'),
      ];
    }
    case 'external':
      return [
        ...identifier(spec.external?.metric, `${field}.metric`),
        ...metricTarget(spec.external?.target, target),
        ...valueOrAverage(
          spec.external?.target,
          target,
          'must set either a target value for metric or a per-pod target',
        ),
        ...(spec.external?.target?.value !== undefined && spec.external.target.averageValue !== undefined
          ? [forbiddenField(`${target}.value`, 'may not set both a target value for metric and a per-pod target')]
          : []),
      ];
    case 'pods':
      return [
        ...identifier(spec.pods?.metric, `${field}.metric`),
        ...metricTarget(spec.pods?.target, target),
        ...(spec.pods?.target?.averageValue === undefined
          ? [required(`${target}.averageValue`, 'must specify a positive target averageValue')]
          : []),
      ];
    case 'resource':
      return [
        ...requireText(spec.resource?.name, `${field}.name`, 'must specify a resource name'),
        ...utilizationTarget(spec.resource?.target, target),
      ];
    case 'containerResource': {
      const { container, name: resource } = spec.containerResource ?? {};
      return [
        ...requireText(resource, `${field}.name`, 'must specify a resource name'),
        ...(resource ? validateContainerResourceName(resource, `${field}.name`) : []),
        ...requireText(container, `${field}.container`, 'must specify a container'),
        ...(container ? dnsLabel(container, `${field}.container`) : []),
        ...utilizationTarget(spec.containerResource?.target, target),
      ];
    }
  }
}

function identifier(item: MetricIdentifier | undefined, field: string): FieldError[] {
  const name = item?.name ?? '';
  if (name === '') return [required(`${field}.name`, 'must specify a metric name')];
  return invalidFor(`${field}.name`, name, nameIsPathSegment(name, false));
}

function valueOrAverage(target: MetricTarget | undefined, field: string, detail: string): FieldError[] {
  const given = target?.value !== undefined || target?.averageValue !== undefined;
  return given ? [] : [required(`${field}.averageValue`, detail)];
}

function utilizationTarget(target: MetricTarget | undefined, field: string): FieldError[] {
  const errors = metricTarget(target, field);
  const { averageUtilization, averageValue } = target ?? {};
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(`${field}.averageUtilization`, detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbiddenField(`${field}.averageValue`, detail));
  }
  return errors;
}

function metricTarget(target: MetricTarget | undefined, field: string): FieldError[] {
  const type = target?.type ?? '';
  const errors = requireText(type, `${field}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const name of ['value', 'averageValue'] as const) {
    const amount = target?.[name];
    if (amount === undefined) continue;
    const problems = validatePositiveQuantity(amount, `${field}.${name}`);
    errors.push(...problems.map((error) => ({ ...error, detail: 'must be positive' })));
  }
  const utilization = target?.averageUtilization;
  if (utilization !== undefined && utilization < 1) {
    errors.push(invalidValue(`${field}.averageUtilization`, utilization, 'must be greater than 0'));
  }
  return errors;
}

function scalingRules(rules: HPAScalingRules | undefined, field: string): FieldError[] {
  if (rules === undefined) return [];
  const errors: FieldError[] = [];
  const window = rules.stabilizationWindowSeconds ?? 0;
  const path = `${field}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalidValue(path, window, 'must be greater than or equal to zero'));
  if (window > WINDOW_MAXIMUM)
    errors.push(invalidValue(path, window, `must be less than or equal to ${WINDOW_MAXIMUM}`));
  errors.push(...optionalOneOf(rules.selectPolicy, ['Disabled', 'Max', 'Min'], `${field}.selectPolicy`));
  if (list(rules.policies).length === 0) errors.push(required(`${field}.policies`, 'must specify at least one Policy'));
  errors.push(
    ...each(
      rules.policies,
      `${field}.policies`,
      ({ type = '', value = 0, periodSeconds = 0 }: Partial<HPAScalingPolicy>, policyPath) => {
        const problems = optionalOneOf(type, ['Percent', 'Pods'], `${policyPath}.type`);
        const seconds = `${policyPath}.periodSeconds`;
        if (value <= 0) problems.push(invalidValue(`${policyPath}.value`, value, 'must be greater than zero'));
        if (periodSeconds <= 0) problems.push(invalidValue(seconds, periodSeconds, 'must be greater than zero'));
        if (periodSeconds > PERIOD_MAXIMUM) {
          problems.push(invalidValue(seconds, periodSeconds, `must be less than or equal to ${PERIOD_MAXIMUM}`));
        }
        return problems;
      },
    ),
  );
  if (rules.tolerance !== undefined) errors.push(...validateNonNegativeQuantity(rules.tolerance, `${field}.tolerance`));
  return errors;
}
