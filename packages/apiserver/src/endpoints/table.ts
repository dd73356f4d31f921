import type { TablePrinter, TableWork } from '@binnacle/api/printers';
import { encodeJson, type JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { type LongDocument, type MetaDocument, partialObjectMetadata, type Presentation } from '../answers/index.js';
import type { IncludeObject } from '../request/index.js';
import type { StoredObject } from '../storage/index.js';

/** The values that the columns of a table may visit beyond those of each row. About a second of work. */
const TABLE_UNITS = 10_000_000;

export interface TableOptions {
  /** The version of meta.k8s.io: `v1`. */
  readonly version: string;
  readonly includeObject: IncludeObject;
  readonly now: number;
  /** False for all but the first event of a watch. */
  readonly withColumns: boolean;
}

/** Objects as a server-side table, for display. Upstream: `metav1.Table`. */
export function tableOf(
  printer: TablePrinter,
  objects: readonly Readonly<KubernetesObject>[],
  metadata: JsonObject,
  options: TableOptions,
): MetaDocument {
  const rows = objects.map((object) => rowOf(printer, object, options));
  // Without a printer of its own, an empty table has null rows.
  const isNull = rows.length === 0 && printer.nullWhenEmpty === true;
  return { ...tableHead(printer, metadata, options), rows: isNull ? null : rows };
}

/** Like {@link tableOf} for stored objects, with rows that are made while the answer is sent. */
export function longTable(
  printer: TablePrinter,
  view: Presentation,
  items: readonly StoredObject[],
  metadata: JsonObject,
  options: TableOptions,
): LongDocument {
  const head = tableHead(printer, metadata, options);
  const elements = {
    *[Symbol.iterator]() {
      // For each iteration, so that all iterations give the same rows.
      const work: TableWork = { units: TABLE_UNITS };
      for (const stored of items) yield encodeJson(rowOf(printer, view.show(stored), options, work));
    },
  };
  const { apiVersion, kind } = head;
  return { apiVersion, kind, fields: { ...head, rows: [] }, list: 'rows', count: items.length, elements };
}

function tableHead(printer: TablePrinter, metadata: JsonObject, options: TableOptions): MetaDocument {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withColumns ? printer.columns.map((column) => ({ ...column })) : null,
  };
}

function rowOf(
  printer: TablePrinter,
  object: Readonly<KubernetesObject>,
  options: TableOptions,
  work?: TableWork,
): JsonObject {
  const json = asJson(object);
  const row: JsonObject = { cells: printer.printRow(json, { now: options.now, ...(work && { work }) }) };
  const conditions = printer.rowConditions?.(json) ?? [];
  if (conditions.length > 0) row.conditions = conditions.map((condition) => ({ ...condition }));
  if (options.includeObject === 'Object') row.object = json;
  if (options.includeObject === 'Metadata') row.object = partialObjectMetadata(object, options.version);
  if (options.includeObject === 'None') row.object = null;
  return row;
}
