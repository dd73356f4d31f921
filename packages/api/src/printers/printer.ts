import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import type { ColumnDefinition } from './column.js';
import { humanDuration } from '@binnacle/apimachinery/time';

export interface PrintContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Shared by the rows of a table; absent for one row. */
  readonly work?: TableWork;
}

/** Units of work that rows may cost in addition to an allowance for each. Columns that users define are charged. */
export interface TableWork {
  units: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Turns objects of one kind into table rows. Pure: equal objects and times give equal rows. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[];
  /** The cells of one row, including those of wide output. */
  readonly printRow: (object: JsonObject, context: PrintContext) => JsonValue[];
  /** An empty list has `rows: null`, as upstream's default convertor writes it. */
  readonly nullWhenEmpty?: true;
  /** Row conditions, such as `Completed`. Most kinds have none. */
  readonly rowConditions?: (object: JsonObject) => readonly RowCondition[];
  /** The order of rows, if it differs from the order of the list. */
  readonly compare?: (a: JsonObject, b: JsonObject) => number;
}

/** A printer and its kind: `apps/Deployment`, or `autoscaling/v1/Scale` for one version only. */
export type PrinterEntry = readonly [kind: string, printer: TablePrinter];

/**
 * Makes a printer, written against the kind's interface. This is the only cast from decoded JSON to an interface in
 * this room; the decoder has checked every field.
 */
export function printer(
  kind: string,
  columns: readonly ColumnDefinition[],
  cells: (object: never, context: PrintContext) => JsonValue[],
  more: Omit<TablePrinter, 'columns' | 'printRow'> = {},
): PrinterEntry {
  // Each function takes the objects of its own kind, which the table passes to it.
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

/** Time since a timestamp; `<unknown>` if there is none. */
export function timeSince(timestamp: string | null | undefined, context: PrintContext): string {
  if (!timestamp) return '<unknown>';
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(context.now - then);
}
