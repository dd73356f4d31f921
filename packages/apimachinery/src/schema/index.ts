export { isScalarGoStruct } from './go-struct.js';
export type {
  FieldSchema,
  ListSchema,
  MapSchema,
  ScalarKind,
  ScalarSchema,
  StructReference,
  StructSchema,
  Union,
  ValueSchema,
} from './types.js';
export { isZeroScalar, isZeroValue } from './zero-value.js';
