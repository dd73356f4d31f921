import { asKind, asObject } from '@binnacle/apimachinery/meta';
import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../generated/types/autoscaling-v1.js';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from '../generated/types/autoscaling-v2.js';
import {
  type AnnotationReader,
  annotationNames,
  AnnotationReader as Reader,
  readAnnotation,
  readList,
  withAnnotations,
} from './autoscaler-annotations.js';
import { specFromAnnotation, specToAnnotation, statusFromAnnotation, statusToAnnotation } from './metric.js';

/** The utilization that v1 implies when it names none. v2 states it explicitly. */
const defaultUtilization = 80;

/** v1 has a field for CPU utilization only. All other metrics, conditions and behavior travel in annotations. */
export function autoscalerToV1(object: JsonObject): JsonObject {
  const { metadata, spec, status, ...rest } = asKind<HorizontalPodAutoscaler>(asObject(object));
  const metrics = spec?.metrics ?? [];
  const currentMetrics = status?.currentMetrics ?? [];
  const conditions = status?.conditions ?? [];
  const others = metrics.filter((metric) => !isCpu(metric) || isNone(metric.resource?.target?.averageUtilization));
  const added = new Map<string, string>();
  if (conditions.length > 0) added.set(annotationNames.conditions, stringifyJson(conditions.map(conditionInOrder)));
  if (others.length > 0) added.set(annotationNames.metrics, stringifyJson(others.map(specToAnnotation)));
  if (currentMetrics.length > 0) {
    added.set(annotationNames.currentMetrics, stringifyJson(currentMetrics.map(statusToAnnotation)));
  }
  if (spec?.behavior) added.set(annotationNames.behavior, stringifyJson(behaviorInOrder(spec.behavior)));
  const { metrics: _metrics, behavior: _behavior, ...specRest } = spec ?? {};
  const { currentMetrics: _current, conditions: _conditions, ...statusRest } = status ?? {};
  const wanted = metrics.find(isCpu)?.resource?.target?.averageUtilization;
  const measured = currentMetrics.findLast(
    (metric) => isCpu(metric) && !isNone(metric.resource?.current?.averageUtilization),
  );
  return withoutAbsent({
    ...rest,
    metadata: withAnnotations(metadata, added),
    spec: spec && withoutAbsent({ ...specRest, targetCPUUtilizationPercentage: wanted }),
    status:
      status &&
      withoutAbsent({
        ...statusRest,
        currentReplicas: status.currentReplicas ?? 0,
        currentCPUUtilizationPercentage: measured?.resource?.current?.averageUtilization,
      }),
  });
}

export function autoscalerToV2(object: JsonObject): JsonObject {
  const { metadata, spec, status, ...rest } = asKind<AutoscalerV1>(asObject(object));
  const others =
    readAnnotation(metadata, annotationNames.metrics, (value) => readList(value, specFromAnnotation)) ?? [];
  const behavior = readAnnotation(metadata, annotationNames.behavior, (value) => readBehavior(new Reader(value)));
  const conditions = readAnnotation(metadata, annotationNames.conditions, (value) => readList(value, readCondition));
  const current = readAnnotation(metadata, annotationNames.currentMetrics, (value) =>
    readList(value, statusFromAnnotation),
  );
  const { targetCPUUtilizationPercentage: wanted, ...specRest } = spec ?? {};
  const { currentCPUUtilizationPercentage: measured, ...statusRest } = status ?? {};
  const metrics: MetricSpec[] = isNone(wanted) ? others : [...others, cpuSpec(wanted ?? 0)];
  const currentMetrics = current ?? (isNone(measured) ? undefined : [cpuStatus(measured ?? 0)]);
  const hasStatus = status !== undefined || currentMetrics !== undefined || conditions !== undefined;
  return withoutAbsent({
    ...rest,
    metadata: withAnnotations(metadata, new Map()),
    spec: withoutAbsent({
      ...specRest,
      metrics: metrics.length === 0 ? [cpuSpec(defaultUtilization)] : metrics,
      behavior,
    }),
    status: hasStatus ? withoutAbsent({ ...statusRest, currentMetrics, conditions }) : undefined,
  });
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isCpu(metric: MetricSpec | MetricStatus): boolean {
  return metric.type === 'Resource' && metric.resource?.name === 'cpu';
}

function cpuSpec(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function cpuStatus(averageUtilization: number): MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function withoutAbsent(object: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isNone(value)));
}

function conditionInOrder(condition: HorizontalPodAutoscalerCondition): JsonObject {
  const { type, status, lastTransitionTime, reason, message } = condition;
  return {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    reason: reason || undefined,
    message: message || undefined,
  };
}

function readCondition(reader: AnnotationReader): HorizontalPodAutoscalerCondition {
  const optional = ['lastTransitionTime', 'reason', 'message'].flatMap((name) => {
    const value = reader.text(name);
    return value ? [[name, value] as const] : [];
  });
  return { type: reader.text('type') ?? '', status: reader.text('status') ?? '', ...Object.fromEntries(optional) };
}

/** Orders `behavior` as Go encodes its internal type: capitalized member names, every field present. */
function behaviorInOrder({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): JsonObject {
  return { ScaleUp: rulesInOrder(scaleUp), ScaleDown: rulesInOrder(scaleDown) };
}

function rulesInOrder(rules: HPAScalingRules | undefined): JsonObject | null {
  if (!rules) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

function readBehavior(reader: AnnotationReader): HorizontalPodAutoscalerBehavior {
  const scaleUp = readRules(reader.object('scaleUp'));
  const scaleDown = readRules(reader.object('scaleDown'));
  return { ...(scaleUp ? { scaleUp } : {}), ...(scaleDown ? { scaleDown } : {}) };
}

function readRules(reader: AnnotationReader | undefined): HPAScalingRules | undefined {
  if (!reader) return undefined;
  const stabilizationWindowSeconds = reader.integer('stabilizationWindowSeconds');
  const selectPolicy = reader.text('selectPolicy');
  const tolerance = reader.quantity('tolerance');
  const policies = reader.list('policies', (policy) => ({
    type: policy.text('type') ?? '',
    value: policy.integer('value') ?? 0,
    periodSeconds: policy.integer('periodSeconds') ?? 0,
  }));
  return {
    ...(stabilizationWindowSeconds === undefined ? {} : { stabilizationWindowSeconds }),
    ...(selectPolicy === undefined ? {} : { selectPolicy }),
    ...(policies === undefined ? {} : { policies }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}
