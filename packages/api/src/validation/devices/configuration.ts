import { type FieldError, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import { isObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import { utf8Length } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { DeviceSelector, OpaqueDeviceConfiguration } from '../../generated/types/resource-v1.js';
import { validateDriverName } from '../volumes/volume-drivers.js';
import { validateItems } from './collections.js';
import { compileDeviceExpressions, type ExpressionErrors } from './device-expression.js';

// Selectors and configuration of devices. Upstream: `pkg/apis/resource/validation`.

const SELECTORS_MAXIMUM = 32;
const EXPRESSION_MAXIMUM = 10 * 1024;
const PARAMETERS_MAXIMUM = 10 * 1024;

/** Compiles the expressions of selectors, except those that are too long. */
export function compileSelectors(selectors: readonly DeviceSelector[]): Steps<ExpressionErrors> {
  const sources = selectors.map(({ cel }) => cel?.expression ?? '');
  return compileDeviceExpressions(sources.filter((source) => utf8Length(source) <= EXPRESSION_MAXIMUM));
}

/** @param compiled the errors of the expressions; none for unchanged selectors, which are not compiled again. */
export function validateDeviceSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  field: string,
  compiled: ExpressionErrors,
): FieldError[] {
  return validateItems(selectors, SELECTORS_MAXIMUM, field, ({ cel }, path) => {
    if (cel === undefined) return [required(`${path}.cel`, '')];
    const expression = cel.expression ?? '';
    const at = `${path}.cel.expression`;
    if (utf8Length(expression) > EXPRESSION_MAXIMUM) return [tooLong(at, EXPRESSION_MAXIMUM)];
    const error = compiled.get(expression);
    return error === undefined ? [] : [error(at)];
  });
}

/** @param stored the configuration is unchanged, so its size is not checked again. */
export function validateDeviceConfiguration(
  configuration: { readonly opaque?: OpaqueDeviceConfiguration | undefined },
  path: string,
  stored = false,
): FieldError[] {
  const opaque: Partial<OpaqueDeviceConfiguration> | undefined = configuration.opaque;
  if (opaque === undefined) return [required(`${path}.opaque`, '')];
  return [
    ...validateDriverName(opaque.driver, `${path}.opaque.driver`),
    ...validateRawObject(opaque.parameters, PARAMETERS_MAXIMUM, `${path}.opaque.parameters`, stored),
  ];
}

/** A JSON object of bounded size that only its driver interprets. */
export function validateRawObject(
  value: JsonValue | undefined,
  maximum: number,
  field: string,
  stored = false,
): FieldError[] {
  if (value === undefined || value === null) return [required(field, '')];
  if (!stored && utf8Length(stringifyJson(value)) > maximum) return [tooLong(field, maximum)];
  return isObject(value) ? [] : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}
