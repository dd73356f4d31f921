import type { ValueSchema } from './types.js';

/** Whether a scalar is a struct to Go, so that `omitempty` never leaves it out. */
export function isScalarGoStruct(schema: ValueSchema): boolean {
  switch (schema.kind) {
    case 'time':
    case 'microTime':
    case 'duration':
    case 'quantity':
    case 'intOrString':
    case 'any':
      return true;
    default:
      return false;
  }
}
