/** Messages that several rules share. Upstream: apimachinery `pkg/util/validation`. */
export const EMPTY_MESSAGE = 'must be non-empty';
export const NEGATIVE_MESSAGE = 'must be greater than or equal to 0';
export const IMMUTABLE_MESSAGE = 'field is immutable';

export function maximumCharactersMessage(maximum: number): string {
  return `must be no more than ${maximum} characters`;
}

export function maximumBytesMessage(maximum: number): string {
  return `must be no more than ${maximum} bytes`;
}

export function inclusiveRangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** `message (e.g. 'a',  or 'b', regex used for validation is '...')`. The double space before `or` is upstream's. */
export function patternMessage(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}
