import { formatDuration } from '@binnacle/apimachinery/time';
import type { StartOptions } from '../../embed/index.js';
import type { ServeOption } from './serve-option.js';
import { serveOptions } from './serve-options.js';

/** Every flag of `binnacle serve` with its value, or its default in words. No flag holds a secret: files do. */
export function flagValues(options: StartOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(serveOptions.map((option) => [option.name, valueOf(option, options)]));
}

function valueOf(option: ServeOption, options: StartOptions): string {
  const value = options[option.key];
  if (value === undefined) return option.default ?? '';
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  return option.type === 'duration' && typeof value === 'number'
    ? formatDuration(BigInt(Math.round(value * 1e6)))
    : String(value);
}
