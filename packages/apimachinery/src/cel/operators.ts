/** The function names of operators, the same in every implementation of CEL. */
export const CONDITIONAL = '_?_:_';
export const LOGICAL_AND = '_&&_';
export const LOGICAL_OR = '_||_';
export const LOGICAL_NOT = '!_';
export const NEGATE = '-_';
export const EQUALS = '_==_';
export const NOT_EQUALS = '_!=_';
export const LESS = '_<_';
export const LESS_EQUALS = '_<=_';
export const GREATER = '_>_';
export const GREATER_EQUALS = '_>=_';
export const ADD = '_+_';
export const SUBTRACT = '_-_';
export const MULTIPLY = '_*_';
export const DIVIDE = '_/_';
export const MODULO = '_%_';
export const IN = '@in';
export const INDEX = '_[_]';
export const OPTIONAL_INDEX = '_[?_]';
export const OPTIONAL_SELECT = '_?._';
/** Functions of optionals. They evaluate their operand only if the optional is empty. */
export const OR = 'or';
export const OR_VALUE = 'orValue';
/** Also true for an error, so that a comprehension continues: a later element may decide. */
export const NOT_STRICTLY_FALSE = '@not_strictly_false';
/** Adds one or more entries to the map that a comprehension builds. */
export const MAP_INSERT = 'cel.@mapInsert';

/** Binary operators by symbol, from lowest to highest precedence. */
export const RELATIONS: ReadonlyMap<string, string> = new Map([
  ['==', EQUALS],
  ['!=', NOT_EQUALS],
  ['<', LESS],
  ['<=', LESS_EQUALS],
  ['>', GREATER],
  ['>=', GREATER_EQUALS],
  ['in', IN],
]);
export const SUMS: ReadonlyMap<string, string> = new Map([
  ['+', ADD],
  ['-', SUBTRACT],
]);
export const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['*', MULTIPLY],
  ['/', DIVIDE],
  ['%', MODULO],
]);
