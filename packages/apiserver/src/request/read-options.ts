import { badRequest, fieldErrorDetail, invalidValue } from '@binnacle/apimachinery/status';
import { parseBoolean } from './query-values.js';

export interface GetOptions {
  /** Empty: the most recent. */
  readonly resourceVersion: string;
}

/** Throws 400 for the removed parameter `export`. */
export function parseGetOptions(query: URLSearchParams): GetOptions {
  if (parseBoolean(query, 'export') === true) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: query.get('resourceVersion') ?? '' };
}

/** Which part of each object a Table includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Throws 400 for an invalid value. The default is Metadata. */
export function parseTableOptions(query: URLSearchParams): { readonly includeObject: IncludeObject } {
  const value = query.get('includeObject') ?? '';
  if (value === '') return { includeObject: 'Metadata' };
  if (value === 'None' || value === 'Metadata' || value === 'Object') return { includeObject: value };
  const detail = fieldErrorDetail(
    invalidValue('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty"),
  );
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${detail}`);
}
