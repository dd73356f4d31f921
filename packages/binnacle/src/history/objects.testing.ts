import * as fc from 'fast-check';
import type { JsonValue } from '@binnacle/apimachinery/json';

const small = fc.constantFrom<JsonValue>(1, 2, 'x', true);
const plain = { noNullPrototype: true };
const inner = fc.dictionary(fc.constantFrom('d', 'e'), small, plain);
/** Small random objects. */
export const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(small, inner), plain);
