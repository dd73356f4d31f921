import { inclusiveRangeMessage, maximumCharactersMessage } from './messages.js';
import { utf8Length } from './text.js';

const MAXIMUM_ID = 2 ** 31 - 1;
const PORT_NAME_MAXIMUM = 15;

export function validatePortNumber(port: number): string[] {
  return validateRange(port, 1, 65535);
}

export function validateRange(value: number | bigint, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [inclusiveRangeMessage(low, high)];
}

/** A Unix user or group id. */
export function validateUnixId(id: number | bigint): string[] {
  return validateRange(id, 0, MAXIMUM_ID);
}

/**
 * An IANA service name in lower case: at most 15 of `[-a-z0-9]`, at least one letter, no leading, trailing or double
 * hyphen. Upstream: apimachinery `pkg/util/validation`.
 */
export function validatePortName(name: string): string[] {
  const messages = utf8Length(name) > PORT_NAME_MAXIMUM ? [maximumCharactersMessage(PORT_NAME_MAXIMUM)] : [];
  if (!/^[-a-z0-9]+$/.test(name)) {
    messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) messages.push('must contain at least one letter (a-z)');
  if (name.includes('--')) messages.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) messages.push('must not begin or end with a hyphen');
  return messages;
}
