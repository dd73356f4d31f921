import type { JsonValue } from '@binnacle/apimachinery/json';
import {
  formatLabelSelector,
  LabelSelectorError,
  labelSelectorFromObject,
  type LabelSelectorObject,
} from '@binnacle/apimachinery/labels';
import { formatGroupKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../generated/types/apps-v1.js';
import type { Scale } from '../generated/types/autoscaling-v1.js';
import type { ReplicationController } from '../generated/types/core-v1.js';
import { ageColumn, containerColumns, integer, nameColumn, text, wide } from './column.js';
import { containerCells, formatLabels } from './format.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const selectorColumn = wide(text('Selector', 'Labels of the pods that belong to it.'));
const readyOfAll = text('Ready', 'Pods that are ready, of those wanted.');

const replicaColumns = [
  nameColumn,
  integer('Desired', 'Pods that are wanted.'),
  integer('Current', 'Pods that exist.'),
  integer('Ready', 'Pods that are ready.'),
  ageColumn,
  ...containerColumns,
  selectorColumn,
];

function replicaCells(object: ReplicaSet | ReplicationController, context: PrintContext): JsonValue[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(object, context),
    ...containerCells(spec?.template?.spec?.containers),
  ];
}

function printDeployment(object: Deployment, context: PrintContext): JsonValue[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageOf(object, context),
    ...containerCells(spec?.template?.spec?.containers),
    selectorText(spec?.selector),
  ];
}

/** Deployments print an empty selector as an empty cell and an invalid one as `<invalid>`; other workloads do not. */
function selectorText(selector: LabelSelectorObject | undefined): string {
  try {
    return labelSelectorFromObject(selector).toString();
  } catch (error) {
    if (error instanceof LabelSelectorError) return '<invalid>';
    throw error;
  }
}

function printStatefulSet(object: StatefulSet, context: PrintContext): JsonValue[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageOf(object, context),
    ...containerCells(spec?.template?.spec?.containers),
  ];
}

function printDaemonSet(object: DaemonSet, context: PrintContext): JsonValue[] {
  const { spec, status } = object;
  return [
    nameOf(object),
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    formatLabels(spec?.template?.spec?.nodeSelector),
    ageOf(object, context),
    ...containerCells(spec?.template?.spec?.containers),
    formatLabelSelector(spec?.selector),
  ];
}

function printControllerRevision(object: ControllerRevision, context: PrintContext): JsonValue[] {
  const owner = object.metadata?.ownerReferences?.find((reference) => reference.controller);
  let controller = '<none>';
  if (owner) {
    const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
    controller = `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
  }
  return [nameOf(object), controller, object.revision ?? 0, ageOf(object, context)];
}

function printScale(object: Scale, context: PrintContext): JsonValue[] {
  return [nameOf(object), object.spec?.replicas ?? 0, object.status?.replicas ?? 0, ageOf(object, context)];
}

export const workloadPrinters: readonly PrinterEntry[] = [
  printer('apps/ReplicaSet', replicaColumns, (object: ReplicaSet, context) => [
    ...replicaCells(object, context),
    formatLabelSelector(object.spec?.selector),
  ]),
  printer('/ReplicationController', replicaColumns, (object: ReplicationController, context) => [
    ...replicaCells(object, context),
    formatLabels(object.spec?.selector),
  ]),
  printer(
    'apps/Deployment',
    [
      nameColumn,
      readyOfAll,
      text('Up-to-date', 'Pods that are made from the current template.'),
      text('Available', 'Pods that have been ready for long enough.'),
      ageColumn,
      ...containerColumns,
      selectorColumn,
    ],
    printDeployment,
  ),
  printer('apps/StatefulSet', [nameColumn, readyOfAll, ageColumn, ...containerColumns], printStatefulSet),
  printer(
    'apps/DaemonSet',
    [
      nameColumn,
      integer('Desired', 'Nodes that should run its pod.'),
      integer('Current', 'Nodes that should run its pod and do.'),
      integer('Ready', 'Nodes on which its pod is ready.'),
      integer('Up-to-date', 'Nodes that run a pod of the current template.'),
      integer('Available', 'Nodes on which its pod has been ready for long enough.'),
      text('Node Selector', 'Labels of the nodes that it is for.'),
      ageColumn,
      ...containerColumns,
      selectorColumn,
    ],
    printDaemonSet,
  ),
  printer(
    'apps/ControllerRevision',
    [
      nameColumn,
      text('Controller', 'Object whose state it keeps.'),
      text('Revision', 'Its place in the sequence of states.'),
      ageColumn,
    ],
    printControllerRevision,
  ),
  printer(
    'autoscaling/Scale',
    [
      text('Name', 'Name of the scaled object.'),
      integer('Desired', 'Replicas that are wanted.'),
      integer('Available', 'Replicas that exist.'),
      ageColumn,
    ],
    printScale,
  ),
];
