import type { JsonValue } from '@binnacle/apimachinery/json';
import type { FlowSchema, PriorityLevelConfiguration } from '../generated/types/flowcontrol-v1.js';
import type { PriorityClass } from '../generated/types/scheduling-v1.js';
import { ageColumn, boolean, integer, nameColumn, text } from './column.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const flowcontrol = 'flowcontrol.apiserver.k8s.io';

function printPriorityClass(object: PriorityClass, context: PrintContext): JsonValue[] {
  return [
    nameOf(object),
    object.value ?? 0,
    object.globalDefault ?? false,
    ageOf(object, context),
    object.preemptionPolicy ?? '',
  ];
}

function printFlowSchema(schema: FlowSchema, context: PrintContext): JsonValue[] {
  const { spec, status } = schema;
  return [
    nameOf(schema),
    spec?.priorityLevelConfiguration?.name ?? '',
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(schema, context),
    (status?.conditions ?? []).find((condition) => condition.type === 'Dangling')?.status ?? '?',
  ];
}

/** Orders flow schemas by matching precedence. */
function comparePrecedence(a: FlowSchema, b: FlowSchema): number {
  const byPrecedence = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return byPrecedence || (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b)));
}

function printPriorityLevel(level: PriorityLevelConfiguration, context: PrintContext): JsonValue[] {
  const { spec } = level;
  const queuing = spec?.limited?.limitResponse?.queuing;
  const queueCell = (value: number | undefined) => (queuing ? (value ?? 0) : '<none>');
  return [
    nameOf(level),
    spec?.type ?? '',
    spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : '<none>',
    queueCell(queuing?.queues),
    queueCell(queuing?.handSize),
    queueCell(queuing?.queueLengthLimit),
    ageOf(level, context),
  ];
}

export const schedulingPrinters: readonly PrinterEntry[] = [
  printer(
    'scheduling.k8s.io/PriorityClass',
    [
      nameColumn,
      integer('Value', 'Priority of its pods: the higher, the sooner.'),
      boolean('Global-Default', 'Whether it is for pods that name no class.'),
      ageColumn,
      text('PreemptionPolicy', 'Whether its pods may push others out.'),
    ],
    printPriorityClass,
  ),
  printer(
    `${flowcontrol}/FlowSchema`,
    [
      nameColumn,
      text('PriorityLevel', 'Priority level of its requests.'),
      text('MatchingPrecedence', 'Its place in the order of trying: the lower, the sooner.'),
      text('DistinguisherMethod', 'What tells its flows apart.'),
      ageColumn,
      text('MissingPL', 'Whether its priority level is missing.'),
    ],
    printFlowSchema,
    { compare: comparePrecedence },
  ),
  printer(
    `${flowcontrol}/PriorityLevelConfiguration`,
    [
      nameColumn,
      text('Type', 'Limited or Exempt.'),
      text('NominalConcurrencyShares', 'Its share of all requests at once.'),
      text('Queues', 'How many queues it has.'),
      text('HandSize', 'How many queues a flow may use.'),
      text('QueueLengthLimit', 'How many requests wait in a queue.'),
      ageColumn,
    ],
    printPriorityLevel,
  ),
];
