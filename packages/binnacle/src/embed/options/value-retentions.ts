import { parseValueRetentions, type ValueRetention } from '@binnacle/apiserver';
import type { StartOptions } from './options.js';
import { separated } from './separated.js';

/** Undefined: none is given. Throws a RangeError for an invalid one. */
export function valueRetentionsOf({
  historyRetentionFor,
  historyRetentionMs,
}: Pick<StartOptions, 'historyRetentionFor' | 'historyRetentionMs'>): readonly ValueRetention[] | undefined {
  return historyRetentionFor && parseValueRetentions(separated(historyRetentionFor), historyRetentionMs);
}
