import type { JsonValue } from '@binnacle/apimachinery/json';
import type { HorizontalPodAutoscaler as AutoscalerV1, Scale } from '../generated/types/autoscaling-v1.js';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../generated/types/autoscaling-v2.js';
import type { PodDisruptionBudget } from '../generated/types/policy-v1.js';
import { ageColumn, integer, nameColumn, text } from './column.js';
import { listSome } from './format.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const unknown = '<unknown>';
const metricsShown = 2;

const autoscalerColumns = [
  nameColumn,
  text('Reference', 'What it scales.'),
  text('Targets', 'Measured and wanted value of each metric.'),
  text('MinPods', 'Fewest pods.'),
  text('MaxPods', 'Most pods.'),
  text('Replicas', 'Pods now.'),
  ageColumn,
];

function printAutoscaler(autoscaler: HorizontalPodAutoscaler, context: PrintContext): JsonValue[] {
  const { spec, status } = autoscaler;
  const reference = spec?.scaleTargetRef;
  return [
    nameOf(autoscaler),
    `${reference?.kind ?? ''}/${reference?.name ?? ''}`,
    formatMetrics(spec?.metrics ?? [], status?.currentMetrics ?? []),
    String(spec?.minReplicas ?? '<unset>'),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(autoscaler, context),
  ];
}

function formatMetrics(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  return listSome(
    specs.map((spec, index) => formatMetric(spec, statuses[index] ?? { type: '' })),
    '<none>',
    metricsShown,
    ', ',
  );
}

/** Upstream: `formatHPAMetrics`. */
function formatMetric(spec: MetricSpec, status: MetricStatus): string {
  switch (spec.type) {
    case 'External':
      return valueOrAverage(spec.external?.target, status.external?.current);
    case 'Object':
      return valueOrAverage(spec.object?.target, status.object?.current);
    case 'Pods':
      return `${measured(status.pods?.current, 'averageValue')}/${spec.pods?.target?.averageValue ?? '<nil>'}`;
    case 'Resource':
      return resourceMetric(spec.resource, status.resource?.current);
    case 'ContainerResource':
      return resourceMetric(spec.containerResource, status.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

function valueOrAverage(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  return target?.averageValue
    ? `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
    : `${measured(current, 'value')}/${target?.value ?? '<nil>'}`;
}

function resourceMetric(
  source: { name: string; target: MetricTarget } | undefined,
  current: MetricValueStatus | undefined,
): string {
  const { averageValue, averageUtilization } = source?.target ?? {};
  const name = source?.name ?? '';
  if (averageValue) return `${name}: ${measured(current, 'averageValue')}/${averageValue}`;
  return `${name}: ${percent(current?.averageUtilization, unknown)}/${percent(averageUtilization, '<auto>')}`;
}

/** `<unknown>` without a status; `<nil>`, as Go prints it, for a status without the value. */
function measured(current: MetricValueStatus | undefined, member: 'value' | 'averageValue'): string {
  return current === undefined ? unknown : (current[member] ?? '<nil>');
}

function percent(value: number | null | undefined, absent: string): string {
  return value === undefined || value === null ? absent : `${value}%`;
}

/**
 * v1 has fields for CPU only; the annotations hold the rest. Printing therefore goes through v2, the storage version.
 */
function printAutoscalerV1({ spec, status, ...rest }: AutoscalerV1, context: PrintContext): JsonValue[] {
  const cpu = (target: number | undefined) => ({ averageUtilization: target });
  const wanted = spec?.targetCPUUtilizationPercentage;
  const now = status?.currentCPUUtilizationPercentage;
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', ...cpu(wanted ?? 80) } } },
  ];
  const currentMetrics = now ? [{ type: 'Resource', resource: { name: 'cpu', current: cpu(now) } }] : undefined;
  return printAutoscaler(
    {
      ...rest,
      spec: {
        scaleTargetRef: spec?.scaleTargetRef ?? { kind: '', name: '' },
        minReplicas: spec?.minReplicas,
        maxReplicas: spec?.maxReplicas ?? 0,
        metrics,
      },
      status: {
        currentReplicas: status?.currentReplicas,
        desiredReplicas: status?.desiredReplicas ?? 0,
        currentMetrics,
      },
    },
    context,
  );
}

function printPodDisruptionBudget(budget: PodDisruptionBudget, context: PrintContext): JsonValue[] {
  const { spec, status } = budget;
  return [
    nameOf(budget),
    String(spec?.minAvailable ?? 'N/A'),
    String(spec?.maxUnavailable ?? 'N/A'),
    status?.disruptionsAllowed ?? 0,
    ageOf(budget, context),
  ];
}

function printScale(scale: Scale, context: PrintContext): JsonValue[] {
  return [nameOf(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, ageOf(scale, context)];
}

export const autoscalingPrinters: readonly PrinterEntry[] = [
  printer('autoscaling/HorizontalPodAutoscaler', autoscalerColumns, printAutoscaler),
  printer('autoscaling/v1/HorizontalPodAutoscaler', autoscalerColumns, printAutoscalerV1),
  printer(
    'autoscaling/Scale',
    [
      text('Name', nameColumn.description),
      integer('Desired', 'Pods that are wanted.'),
      integer('Available', 'Pods that there are.'),
      ageColumn,
    ],
    printScale,
  ),
  printer(
    'policy/PodDisruptionBudget',
    [
      nameColumn,
      text('Min Available', 'Fewest pods that must stay.'),
      text('Max Unavailable', 'Most pods that may be missing.'),
      integer('Allowed Disruptions', 'Pods that may be taken away now.'),
      ageColumn,
    ],
    printPodDisruptionBudget,
  ),
];
