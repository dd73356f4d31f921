import { Quantity, QuantityError } from '../../quantity/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import { OpaqueValue, type Value } from '../values.js';
import { from, int, string } from './arguments.js';
import { succeeds } from './succeeds.js';

class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && this.quantity.compare(other.quantity) === 0;
  }
}

/** A quantity as an expression sees it. */
export function quantityValue(quantity: Quantity): Value {
  return new QuantityValue(quantity);
}

const quantity = (value: Value): Quantity | undefined => (value instanceof QuantityValue ? value.quantity : undefined);
const quantities = from(quantity, quantity);
const quantityAndInt = from(quantity, int);

/** Upstream: apiserver `pkg/cel/library/quantity.go`. */
export const QUANTITIES: readonly Overload[] = [
  overload(
    'quantity',
    'string_to_quantity',
    '(string) -> kubernetes.Quantity',
    from(string)((text) => new QuantityValue(readQuantity(text))),
  ),
  overload(
    'isQuantity',
    'is_quantity_string',
    '(string) -> bool',
    from(string)((text) => succeeds(() => readQuantity(text))),
  ),
  overload(
    'sign',
    'quantity_sign',
    '(kubernetes.Quantity) -> int',
    from(quantity)((value) => BigInt(value.sign)),
  ),
  overload(
    'isGreaterThan',
    'quantity_is_greater_than',
    'kubernetes.Quantity.(kubernetes.Quantity) -> bool',
    quantities((left, right) => left.compare(right) > 0),
  ),
  overload(
    'isLessThan',
    'quantity_is_less_than',
    'kubernetes.Quantity.(kubernetes.Quantity) -> bool',
    quantities((left, right) => left.compare(right) < 0),
  ),
  overload(
    'compareTo',
    'quantity_compare_to',
    'kubernetes.Quantity.(kubernetes.Quantity) -> int',
    quantities((left, right) => BigInt(left.compare(right))),
  ),
  overload(
    'asApproximateFloat',
    'quantity_get_float',
    'kubernetes.Quantity.() -> double',
    from(quantity)((value) => value.asApproximateNumber()),
  ),
  overload('asInteger', 'quantity_get_int', 'kubernetes.Quantity.() -> int', from(quantity)(asInteger)),
  overload(
    'isInteger',
    'quantity_is_integer',
    'kubernetes.Quantity.() -> bool',
    from(quantity)((value) => value.asExactInt() !== undefined),
  ),
  overload(
    'add',
    'quantity_add',
    'kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity',
    quantities((left, right) => new QuantityValue(left.add(right))),
  ),
  overload(
    'add',
    'quantity_add_int',
    'kubernetes.Quantity.(int) -> kubernetes.Quantity',
    quantityAndInt((left, right) => new QuantityValue(left.add(Quantity.of(right)))),
  ),
  overload(
    'sub',
    'quantity_sub',
    'kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity',
    quantities((left, right) => new QuantityValue(left.subtract(right))),
  ),
  overload(
    'sub',
    'quantity_sub_int',
    'kubernetes.Quantity.(int) -> kubernetes.Quantity',
    quantityAndInt((left, right) => new QuantityValue(left.subtract(Quantity.of(right)))),
  ),
];

function readQuantity(text: string): Quantity {
  try {
    return Quantity.parse(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new EvaluationError(error.message);
    throw error;
  }
}

function asInteger(value: Quantity): bigint {
  const integer = value.asExactInt();
  if (integer === undefined) throw new EvaluationError('cannot convert value to integer');
  return integer;
}
