// Writes types of the table in TypeScript.

/**
 * @typedef {object} Dialect how interfaces of one purpose write types
 * @property {'' | 'readonly '} readonly before lists and maps
 * @property {() => string} int64
 * @property {() => string} any
 * @property {(definition: string) => string} struct the name of a struct type, imported if necessary
 */

const scalars = new Map([
  ['string', 'string'],
  ['bool', 'boolean'],
  ['int32', 'number'],
  ['double', 'number'],
  ['bytes', 'string'],
  ['time', 'string'],
  ['microTime', 'string'],
  ['duration', 'string'],
  ['quantity', 'string'],
  ['intOrString', 'number | string'],
]);

/** @param {string} notation @param {Dialect} dialect @returns {string} */
export function typeText(notation, dialect) {
  const { readonly } = dialect;
  if (notation.startsWith('[]')) {
    const item = typeText(notation.slice(2), dialect);
    return item.includes(' ') ? `${readonly}(${item})[]` : `${readonly}${item}[]`;
  }
  if (notation.startsWith('map[')) {
    return `{ ${readonly}[key: string]: ${typeText(notation.slice(notation.indexOf(']') + 1), dialect)} }`;
  }
  const schemaOr = /^v1\.JSONSchemaPropsOr(Bool|Array|StringArray)=any$/.exec(notation)?.[1];
  if (schemaOr === 'Bool') return 'JSONSchemaProps | boolean';
  if (schemaOr === 'Array') return `JSONSchemaProps | ${readonly}JSONSchemaProps[]`;
  if (schemaOr === 'StringArray') return `JSONSchemaProps | ${readonly}string[]`;
  const equals = notation.indexOf('=');
  if (equals >= 0) {
    const value = notation.slice(equals + 1);
    return typeText(value.startsWith('(') ? value.slice(1, -1) : value, dialect);
  }
  if (notation === 'int64') return dialect.int64();
  if (notation === 'any') return dialect.any();
  return scalars.get(notation) ?? dialect.struct(notation);
}

/** @param {string} name */
export const fieldName = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
