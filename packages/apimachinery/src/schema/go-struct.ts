import type { ValueSchema } from './types.js';

/** Whether Go represents a scalar as a struct, so that `omitempty` never omits it. */
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
