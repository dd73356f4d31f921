import type { PrintContext, TablePrinter } from '@binnacle/api/printers';
import type { CustomResourceColumnDefinition } from '@binnacle/api/types/apiextensions-v1';
import { formatGoValue, isObject, type JsonObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { findFirst, type JsonPath, JsonPathError, parseJsonPath } from '@binnacle/apimachinery/jsonpath';
import { humanDuration } from '@binnacle/apimachinery/time';
import { RowBudget } from './row-budget.js';

type Column = CustomResourceColumnDefinition;

const age: Column = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};
const desired: Column = {
  name: 'Desired',
  type: 'integer',
  description: 'Number of desired replicas',
  jsonPath: '.spec.replicas',
};
const available: Column = {
  name: 'Available',
  type: 'integer',
  description: 'Number of actual replicas',
  jsonPath: '.status.replicas',
};

/** The columns of a scale. */
export const scaleColumns: readonly Column[] = [desired, available, age];

const nameColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind in its namespace.',
  priority: 0,
};

interface Printed {
  readonly type: string;
  readonly path: JsonPath;
}

/**
 * Table rows with the columns of a definition; only the age if it has none. Columns after an unreadable path are left
 * out. A cell that costs too much is null. Upstream: apiextensions `pkg/registry/customresource/tableconvertor`.
 */
export function customPrinter(given: readonly Column[] | undefined): TablePrinter {
  const columns = given === undefined || given.length === 0 ? [age] : given;
  const printed: Printed[] = [];
  for (const { type, jsonPath } of columns) {
    const path = readPath(jsonPath);
    if (path === undefined) break;
    printed.push({ type, path });
  }
  const described = columns.slice(0, printed.length).map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
  }));
  return {
    columns: [nameColumn, ...described],
    printRow: (object, context) => rowOf(object, printed, context),
  };
}

function rowOf(object: JsonObject, columns: readonly Printed[], { now, work }: PrintContext): JsonValue[] {
  const budget = new RowBudget(work?.units ?? Infinity);
  const cells = columns.map((column) => cellOf(object, column, now, budget));
  if (work !== undefined) work.units -= budget.shared;
  return [nameOf(object), ...cells];
}

function readPath(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function nameOf({ metadata }: JsonObject): JsonValue {
  return isObject(metadata) ? (metadata.name ?? '') : '';
}

function cellOf(object: JsonObject, { type, path }: Printed, now: number, budget: RowBudget): JsonValue {
  const value = findFirst(object, path, budget);
  if (value === undefined) return null;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'string':
      return textOf(value, budget);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : isNumber ? value : null;
    case 'number':
      return isNumber ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageSince(value, now) : null;
    default:
      return null;
  }
}

function textOf(value: JsonValue, budget: RowBudget): JsonValue {
  if (value === null) return '<no value>';
  if (typeof value === 'object') {
    const json = stringifyJson(value, { sortKeys: true });
    return budget.spendJson(json) ? json : null;
  }
  const text = formatGoValue(value);
  return budget.spendText(text) ? text : null;
}

function ageSince(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const isTime = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text);
  const then = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(then) ? '<invalid>' : humanDuration(now - then);
}
