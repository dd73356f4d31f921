import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  type ObjectFields,
  objectType,
  type Range,
  RESERVED_WORDS,
  type SizeOfPath,
  STRING,
  TIMESTAMP,
  type Type,
} from '../cel/index.js';
import type { DeclaredType } from './declared-type.js';
import { escapeFieldName, unescapeFieldName } from './field-names.js';

const NO_FIELDS: ReadonlyMap<string, DeclaredType> = new Map();

const PLAIN: Readonly<Record<Exclude<DeclaredType['kind'], 'list' | 'map' | 'object'>, Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  string: STRING,
  timestamp: TIMESTAMP,
};

/**
 * Converts a declared type to a CEL type. Objects are named after their path, so that no two paths have the same type.
 * Upstream: apiserver `pkg/cel/types.go`.
 */
export function expressionType(declared: DeclaredType, name: string): Type {
  const { kind, elements, properties } = declared;
  if (kind === 'list') return listOf(elements === undefined ? DYN : expressionType(elements, `${name}.@idx`));
  if (kind === 'map') return mapOf(STRING, elements === undefined ? DYN : expressionType(elements, `${name}.@elem`));
  if (kind === 'object') return objectType(name, objectFields(properties ?? NO_FIELDS, name));
  return PLAIN[kind];
}

/** Resolves fields on demand, because large schemas have many fields that no rule uses. */
function objectFields(properties: ReadonlyMap<string, DeclaredType>, name: string): ObjectFields {
  const made = new Map<string, Type>();
  return {
    get(field) {
      const known = made.get(field);
      if (known !== undefined) return known;
      // Unescaped reserved words are accepted too, but their size is unknown.
      const declared = RESERVED_WORDS.has(field) ? properties.get(field) : fieldOf(properties, field);
      if (declared === undefined) return undefined;
      const type = expressionType(declared, `${name}.${field}`);
      made.set(field, type);
      return type;
    },
  };
}

function fieldOf(properties: ReadonlyMap<string, DeclaredType>, escaped: string): DeclaredType | undefined {
  const name = unescapeFieldName(escaped);
  return name !== undefined && escapeFieldName(name) === escaped ? properties.get(name) : undefined;
}

const NO_SIZE: Range = { min: 0, max: 0 };

/** The size of the value at a path in `self`; unknown for a path that does not exist. */
export function sizeOfPath(root: DeclaredType): SizeOfPath {
  return ([, ...steps]) => {
    let declared: DeclaredType | undefined = root;
    for (const step of steps) {
      if (step === '@keys') return declared.kind === 'map' ? NO_SIZE : undefined;
      const { elements, properties }: DeclaredType = declared;
      declared = step === '@items' || step === '@values' ? elements : fieldOf(properties ?? NO_FIELDS, step);
      if (declared === undefined) return undefined;
    }
    return { min: 0, max: declared.maximumSize };
  };
}
