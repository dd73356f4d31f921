export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'object'
  | 'opaque'
  | 'parameter'
  | 'string'
  | 'timestamp'
  | 'type'
  | 'uint';

/**
 * The type of an expression. `error` marks an expression with a problem and fits everything, so each problem is
 * reported once. A `parameter` is a type to infer. `opaque` types have a name and may have parameters, but no fields.
 */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
  /** For `object`: the types of the fields by their names in expressions. */
  readonly fields?: ObjectFields;
}

/** May be computed on demand. `undefined`: there is no such field. */
export interface ObjectFields {
  get(name: string): Type | undefined;
}

export const DYN = plain('dyn');
/** The content of a protobuf `Any`: as `dyn`, but no range of a comprehension. */
export const ANY = plain('dyn', 'any');
export const ERROR = plain('error', '!error!');
export const NULL = plain('null');
export const BOOL = plain('bool');
export const INT = plain('int');
export const UINT = plain('uint');
export const DOUBLE = plain('double');
export const STRING = plain('string');
export const BYTES = plain('bytes');
export const TIMESTAMP = plain('timestamp');
export const DURATION = plain('duration');

const OPTIONAL = 'optional_type';

export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function optionalOf(value: Type): Type {
  return opaque(OPTIONAL, [value]);
}

/** The type whose value is the type `of`. */
export function typeOf(of: Type): Type {
  return { kind: 'type', name: 'type', parameters: [of] };
}

export function opaque(name: string, parameters: readonly Type[] = []): Type {
  return { kind: 'opaque', name, parameters };
}

export function parameter(name: string): Type {
  return { kind: 'parameter', name, parameters: [] };
}

/** Objects with the same name have the same type. */
export function objectType(name: string, fields: ObjectFields): Type {
  return { kind: 'object', name, parameters: [], fields };
}

export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === OPTIONAL;
}

/** The content type of an optional; any other type itself. */
export function unwrapOptional(type: Type): Type {
  return isOptional(type) ? parameterOf(type, 0) : type;
}

export function parameterOf(type: Type, index: number): Type {
  return type.parameters[index] ?? DYN;
}

export function isDynamic(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

export function sameType(left: Type, right: Type): boolean {
  return (
    left === right ||
    (left.kind === right.kind &&
      left.name === right.name &&
      left.parameters.length === right.parameters.length &&
      left.parameters.every((item, index) => sameType(item, parameterOf(right, index))))
  );
}

/** A type in messages: `map(string, int)`. */
export function formatType(type: Type): string {
  return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** `(int, int)`, or `string.(int)` for a call with a target. */
export function formatArguments(types: readonly Type[], isMember: boolean): string {
  const [target, ...rest] = types;
  if (!isMember || target === undefined) return `(${types.map(formatType).join(', ')})`;
  return `${formatType(target)}.(${rest.map(formatType).join(', ')})`;
}

function plain(kind: TypeKind, name: string = kind): Type {
  return { kind, name, parameters: [] };
}
