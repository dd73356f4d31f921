import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import type { ColumnDefinition } from './column.js';
import { humanDuration } from '@binnacle/apimachinery/time';

export interface PrintContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** How objects of one kind become rows of a table. Pure: equal objects and times give equal rows. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[];
  /** The cells of one row, those of wide output included. */
  readonly printRow: (object: JsonObject, context: PrintContext) => JsonValue[];
  /** An empty list has `rows: null`, as upstream's default convertor writes it. */
  readonly nullWhenEmpty?: true;
  /** What the row says of the object as a whole; most kinds say nothing. */
  readonly rowConditions?: (object: JsonObject) => readonly RowCondition[];
  /** The order of rows, where a list of this kind is not shown in its own order. */
  readonly compare?: (a: JsonObject, b: JsonObject) => number;
}

/** A printer and the kinds that it is for: `apps/Deployment`, or `autoscaling/v1/Scale` for one version alone. */
export type PrinterEntry = readonly [kind: string, printer: TablePrinter];

/**
 * A printer written against the kind's interface. The one place where a decoded object is taken for its type: the decoder has
 * checked it field by field.
 */
export function printer(
  kind: string,
  columns: readonly ColumnDefinition[],
  cells: (object: never, context: PrintContext) => JsonValue[],
  more: Omit<TablePrinter, 'columns' | 'printRow'> = {},
): PrinterEntry {
  return [kind, { columns, printRow: cells as unknown as TablePrinter['printRow'], ...more }];
}

export interface Named {
  metadata?: ObjectMeta | undefined;
}

export function nameOf(object: Named): string {
  return object.metadata?.name ?? '';
}

/** Time since the object was created. */
export function ageOf(object: Named, context: PrintContext): string {
  return timeSince(object.metadata?.creationTimestamp, context);
}

/** Time since a timestamp; `<unknown>` when there is none. */
export function timeSince(timestamp: string | null | undefined, context: PrintContext): string {
  if (!timestamp) return '<unknown>';
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(context.now - then);
}
