import { CommanderError, Option } from 'commander';
import { parseDuration, TimeParseError } from '@binnacle/apimachinery/time';

/** Reads the value of the option `name`. Throws {@link invalid} for a wrong one. */
export type ValueParser<T> = (name: string) => (text: string) => T;

/** The error for a wrong argument. `message`: one sentence without a full stop. */
export function invalid(message: string): CommanderError {
  return new CommanderError(2, 'binnacle.invalid', message);
}

/** An option whose value is a text that is not empty, such as `--context <NAME>`. */
export function textOption(flags: string, description: string): Option {
  const [, placeholder = 'the value'] = /<(.*)>/.exec(flags) ?? [];
  return new Option(flags, description).argParser(notEmpty(placeholder));
}

/** An option with one of the parsers below, such as `--count <NUMBER>`. */
export function valueOption<T>(flags: string, description: string, parser: ValueParser<T>): Option {
  const [, name = ''] = /--([a-z-]+)/.exec(flags) ?? [];
  return new Option(flags, description).argParser(parser(name));
}

/** `subject`: what the kubeconfig is for, such as "server and user". */
export const kubeconfigOption = (subject: string): Option =>
  textOption('--kubeconfig <FILE>', `${subject} (default: KUBECONFIG, ~/.kube/config, or the pod's service account)`);

export const contextOption = (): Option =>
  textOption('--context <NAME>', 'a context of the kubeconfig (default: the current one)');

/** For an argument or an option that must not be empty. */
export const notEmpty =
  (placeholder: string) =>
  (text: string): string => {
    if (text !== '') return text;
    throw invalid(`${placeholder} is empty`);
  };

export const parsePort: ValueParser<number> = (name) => (text) => {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw wrong(name, text, 'is not a port: give a number from 1 to 65535, or 0 for any free port');
};

export const parseSeconds: ValueParser<number> = (name) => (text) => {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw wrong(name, text, 'is not a number of seconds: give 0 or more, without a unit');
};

/** A whole number. */
export const parseNumber: ValueParser<number> = (name) => (text) => {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw wrong(name, text, 'is not a number: give 0 or more');
};

export const parseRate: ValueParser<number> = (name) => (text) => {
  if (/^[0-9]{1,9}([.][0-9]{1,3})?$/.test(text) && Number(text) >= 1) return Number(text);
  throw wrong(name, text, 'is not a rate: give a number, 1 or more');
};

const decimal = /^[0-9]{1,9}([.][0-9]{1,9})?$/;

export const parseDecimal: ValueParser<number> = (name) => (text) => {
  if (decimal.test(text)) return Number(text);
  throw wrong(name, text, 'is not a number: give 0 or more, such as 0.1');
};

export const parseShare: ValueParser<number> = (name) => (text) => {
  if (decimal.test(text) && Number(text) <= 1) return Number(text);
  throw wrong(name, text, 'is not a share: give a number from 0 to 1, such as 0.5');
};

export const parseBytes: ValueParser<number> = (name) => (text) => {
  const [, digits, unit = ''] = /^([0-9]{1,15})(Ki|Mi|Gi|Ti)?$/.exec(text) ?? [];
  const bytes = Number(digits ?? Number.NaN) * 1024 ** ['', 'Ki', 'Mi', 'Gi', 'Ti'].indexOf(unit);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw wrong(name, text, 'is not a size: give a number of bytes, or one with a unit, such as 512Mi or 2Gi');
};

/** A duration like Go's, in milliseconds. */
export const parseMilliseconds: ValueParser<number> = (name) => (text) => {
  const milliseconds = durationOf(text);
  if (milliseconds !== undefined && milliseconds >= 0) return milliseconds;
  throw wrong(name, text, 'is not a duration: give 0 or more, with a unit, such as 90s or 1h30m');
};

function durationOf(text: string): number | undefined {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

export const parseSwitch: ValueParser<boolean> = (name) => (text) => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw wrong(name, text, 'is neither true nor false');
};

const wrong = (name: string, text: string, why: string): CommanderError =>
  invalid(`--${name} ${JSON.stringify(text)} ${why}`);
