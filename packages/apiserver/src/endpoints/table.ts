import type { TablePrinter } from '@binnacle/api/printers';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { IncludeObject } from '../request/index.js';
import { type MetaDocument, partialObjectMetadata } from '../answers/index.js';

export interface TableOptions {
  /** Version of meta.k8s.io: `v1`. */
  readonly version: string;
  readonly includeObject: IncludeObject;
  readonly now: number;
  /** False for all but the first event of a watch. */
  readonly withColumns: boolean;
}

/** Objects as a server-side table, for people. Upstream: `metav1.Table`. */
export function tableOf(
  printer: TablePrinter,
  objects: Iterable<Readonly<KubernetesObject>>,
  metadata: JsonObject,
  options: TableOptions,
): MetaDocument {
  const rows: JsonValue[] = [];
  for (const object of objects) {
    const json = asJson(object);
    const row: JsonObject = { cells: printer.printRow(json, { now: options.now }) };
    const conditions = printer.rowConditions?.(json) ?? [];
    if (conditions.length > 0) row.conditions = conditions.map((condition) => ({ ...condition }));
    if (options.includeObject === 'Object') row.object = json;
    if (options.includeObject === 'Metadata') row.object = partialObjectMetadata(object, options.version);
    if (options.includeObject === 'None') row.object = null;
    rows.push(row);
  }
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withColumns ? printer.columns.map((column) => ({ ...column })) : null,
    // A kind that nobody described has no rows at all where others have none.
    rows: rows.length === 0 && printer.nullWhenEmpty === true ? null : rows,
  };
}
