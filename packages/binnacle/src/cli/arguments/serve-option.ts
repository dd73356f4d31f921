import { Option } from 'commander';
import type { StartOptions } from '../../embed/index.js';
import {
  parseBytes,
  parseDecimal,
  parseMilliseconds,
  parseNumber,
  parsePort,
  parseRate,
  parseSeconds,
  parseShare,
  parseSwitch,
  type ValueParser,
} from './option-values.js';

type KeyOf<T> = { [K in keyof StartOptions]-?: StartOptions[K] extends T | undefined ? K : never }[keyof StartOptions];

interface OptionText {
  /** Without the dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** The default in words or as a user types it; absent = none. */
  readonly default?: string;
  /** One sentence without a full stop. */
  readonly description: string;
}

/** The types of options whose value is a number, with what reads it. */
const numbers = {
  port: parsePort,
  seconds: parseSeconds,
  /** Written like Go's, `1h30m`; stored in milliseconds. */
  duration: parseMilliseconds,
  /** Written as a quantity, `512Mi`; stored in bytes. */
  bytes: parseBytes,
  /** Times a second, or times at once: 1 or more. */
  rate: parseRate,
  /** 0 or more, such as 0.1. */
  decimal: parseDecimal,
  /** From 0 to 1. */
  share: parseShare,
  /** A whole number, 0 or more. */
  count: parseNumber,
} as const satisfies Readonly<Record<string, ValueParser<number>>>;

/** One option of `binnacle serve`: its usage, and its field of {@link StartOptions}. */
export type ServeOption = OptionText &
  (
    | { readonly type: 'text'; readonly placeholder: string; readonly key: KeyOf<string> }
    /** May be repeated. */
    | { readonly type: 'texts'; readonly placeholder: string; readonly key: KeyOf<readonly string[]> }
    | { readonly type: keyof typeof numbers; readonly placeholder: string; readonly key: KeyOf<number> }
    | { readonly type: 'switch'; readonly key: KeyOf<boolean> }
  );

/** The usage of an option: `--secure-port PORT`. */
export function optionUsage(option: ServeOption): string {
  const flag = option.short === undefined ? `--${option.name}` : `-${option.short}, --${option.name}`;
  return option.type === 'switch' ? flag : `${flag} ${option.placeholder}`;
}

/** The option for commander, with its default in the description. */
export function toCommanderOption(option: ServeOption): Option {
  // As with upstream's flags, =true or =false may follow a switch.
  const flags =
    option.type === 'switch' ? `--${option.name} [BOOLEAN]` : optionUsage(option).replace(/ (\S*)$/, ' <$1>');
  const suffix = option.default === undefined ? '' : ` (default: ${option.default})`;
  const result = new Option(flags, option.description + suffix);
  if (option.type === 'text') return result;
  if (option.type === 'texts') return result.argParser(appendText);
  if (option.type === 'switch') return result.argParser(parseSwitch(option.name));
  return result.argParser(numbers[option.type](option.name));
}

const appendText = (text: string, before: unknown): readonly string[] => [...(isTexts(before) ? before : []), text];

/** Maps values from commander's camel-case names to their fields. */
export function startOptionsOf(
  options: readonly ServeOption[],
  values: Readonly<Record<string, unknown>>,
): StartOptions {
  const result: { -readonly [K in keyof StartOptions]: StartOptions[K] } = {};
  for (const option of options) {
    const value = values[option.name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (option.type === 'text' && typeof value === 'string') result[option.key] = value;
    else if (option.type === 'texts' && isTexts(value)) result[option.key] = value;
    else if (option.type === 'switch' && typeof value === 'boolean') result[option.key] = value;
    else if (isNumeric(option) && typeof value === 'number') result[option.key] = value;
  }
  return result;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function isNumeric(option: ServeOption): option is Extract<ServeOption, { type: keyof typeof numbers }> {
  return Object.hasOwn(numbers, option.type);
}
