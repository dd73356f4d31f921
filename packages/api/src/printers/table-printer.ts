import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { admissionregistrationPrinters } from './admissionregistration.js';
import { autoscalingPrinters } from './autoscaling.js';
import { certificatePrinters } from './certificates.js';
import { type ColumnDefinition, createdColumn, nameColumn } from './column.js';
import { corePrinters } from './core.js';
import { eventPrinters } from './event.js';
import { extensionPrinters } from './extension.js';
import { jobPrinters } from './job.js';
import { networkingPrinters } from './networking.js';
import { nodePrinters } from './node.js';
import { podPrinters } from './pod.js';
import { type Named, nameOf, type PrintContext, printer, type TablePrinter } from './printer.js';
import { rbacPrinters } from './rbac.js';
import { resourcePrinters } from './resource.js';
import { schedulingPrinters } from './scheduling.js';
import { servicePrinters } from './service.js';
import { storagePrinters } from './storage.js';
import { workloadPrinters } from './workload.js';

const printers: ReadonlyMap<string, TablePrinter> = new Map([
  ...podPrinters,
  ...workloadPrinters,
  ...jobPrinters,
  ...servicePrinters,
  ...networkingPrinters,
  ...nodePrinters,
  ...eventPrinters,
  ...corePrinters,
  ...storagePrinters,
  ...autoscalingPrinters,
  ...rbacPrinters,
  ...certificatePrinters,
  ...admissionregistrationPrinters,
  ...schedulingPrinters,
  ...resourcePrinters,
  ...extensionPrinters,
]);

/** How Go prints a time that was never set. */
const zeroTime = '0001-01-01T00:00:00Z';

/**
 * For kinds without a printer: name and creation time. Custom resources without their own columns show an age instead.
 */
export const [, defaultTablePrinter] = printer(
  '',
  [nameColumn, createdColumn],
  (object: Named) => [nameOf(object), object.metadata?.creationTimestamp ?? zeroTime],
  { nullWhenEmpty: true },
);

/** The printer of a built-in kind, or {@link defaultTablePrinter}. */
export function tablePrinter(kind: GroupVersionKind): TablePrinter {
  return (
    printers.get(`${kind.group}/${kind.version}/${kind.kind}`) ??
    printers.get(`${kind.group}/${kind.kind}`) ??
    defaultTablePrinter
  );
}

export function tableColumns(kind: GroupVersionKind): readonly ColumnDefinition[] {
  return tablePrinter(kind).columns;
}

/** The cells of an object's row. To print many rows, call {@link tablePrinter} once. */
export function printRow(kind: GroupVersionKind, object: JsonObject, context: PrintContext): JsonValue[] {
  return tablePrinter(kind).printRow(object, context);
}
