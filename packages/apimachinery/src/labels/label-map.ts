import { fieldErrorDetail, invalidValue } from '../status/index.js';
import { validateLabelKey, validateLabelValue } from '../validation/index.js';
import { LabelSelectorError } from './error.js';

/**
 * Parses labels such as `app=web,tier=front`; empty text has none. Throws a {@link LabelSelectorError} with upstream's
 * message. Upstream: apimachinery `labels.ConvertSelectorToLabelsMap`.
 */
export function parseLabelMap(text: string): ReadonlyMap<string, string> {
  return new Map(text === '' ? [] : text.split(',').map(parseLabel));
}

function parseLabel(text: string): readonly [key: string, value: string] {
  const parts = text.split('=');
  const [key = '', value = ''] = parts.map((part) => part.trim());
  if (parts.length !== 2) throw new LabelSelectorError(`invalid selector: [${parts.join(' ')}]`);
  refuse(key, validateLabelKey(key), '<nil>');
  refuse(value, validateLabelValue(value), `[${key}]`);
  return [key, value];
}

function refuse(value: string, problems: readonly string[], field: string): void {
  if (problems.length === 0) return;
  throw new LabelSelectorError(`${field}: ${fieldErrorDetail(invalidValue('', value, problems.join('; ')))}`);
}
