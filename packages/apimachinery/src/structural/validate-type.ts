import type { JsonValue } from '../json/index.js';
import { quoteGo, typeInvalid } from '../status/index.js';
import { fieldAt } from './problems.js';
import type { SchemaNode } from './schema-node.js';
import { isNearlyWhole, isWhole, type Place } from './validate-scalar.js';

const intOrString: readonly string[] = ['integer', 'string'];

/** Validates the type of a value that is not null. */
export function validateType(value: JsonValue, node: SchemaNode, place: Place): void {
  const types = typesOf(node);
  const format = node.limits?.format ?? '';
  const [type, ownFormat] = describe(value);
  const wholeNumber = type === 'number' && types.includes('integer') && isNearlyWhole(Number(value));
  const widened = type === 'integer' && types.includes('number');
  const matches = types.includes(type) || wholeNumber || widened;
  const isTextOrList = type === 'string' || type === 'array';
  if (!isTextOrList && format !== '' && !matches && ownFormat !== format) {
    refuseType(format, ownFormat, place);
    return;
  }
  const numeric = types.includes('number') || types.includes('integer');
  // Upstream checks strings with a format only by the format, and lists with them.
  if ((!numeric && format !== '' && isTextOrList) || matches) place.problems.matches++;
  else refuseType(types.join(','), type, place);
}

/** Refuses null, unless the value may have any type. */
export function refuseNull(node: SchemaNode, place: Place): void {
  const types = typesOf(node);
  if (types.length > 0) refuseType(types.join(','), 'null', place);
}

function refuseType(expected: string, actual: string, { base, path, problems }: Place): void {
  const text = `${path} in body must be of type ${expected}: ${quoteGo(actual)}`;
  problems.add(text, () => typeInvalid(fieldAt(base, path), actual, text));
}

function typesOf(node: SchemaNode): readonly string[] {
  if (node.intOrString) return intOrString;
  return node.type === '' ? [] : [node.type];
}

/** Type and format of a value, as upstream infers them. */
function describe(value: JsonValue): readonly [type: string, format: string] {
  switch (typeof value) {
    case 'string':
      return ['string', ''];
    case 'boolean':
      return ['boolean', ''];
    case 'bigint':
      return ['integer', 'int64'];
    case 'number':
      return isWhole(value) ? ['integer', 'int64'] : ['number', 'float64'];
    default:
      return [Array.isArray(value) ? 'array' : 'object', ''];
  }
}
