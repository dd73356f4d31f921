import { quoteGo } from '../status/index.js';
import type { LogFormat, LogRecord, LogValue } from './record.js';

/** `I1128 16:20:00.123000       1 binnacle] "HTTP" logger="requests" verb="GET"`. Upstream: klog's structured text. */
export function textFormat(processId: number): LogFormat {
  const process = String(processId).padStart(7);
  return (record) => {
    const { time, severity, message, error, logger, values } = record;
    const [date = '', clock = ''] = new Date(time).toISOString().split('T');
    const day = date.slice(5).replace('-', '');
    const head = `${severity === 'error' ? 'E' : 'I'}${day} ${clock.slice(0, 12)}000 ${process} binnacle]`;
    const pairs: readonly (readonly [string, LogValue])[] = [
      ...(error === undefined ? [] : [['err', error] as const]),
      ['logger', logger],
      ...values,
    ];
    return [head, quoteGo(message), ...pairs.map(([key, value]) => `${key}=${shown(value)}`)].join(' ');
  };
}

const shown = (value: LogValue): string => (typeof value === 'string' ? quoteGo(value) : String(value));

/** `{"ts":1732810800123,"logger":"requests","msg":"HTTP","v":3,"verb":"GET"}`. Upstream: component-base `logs/json`. */
export function jsonFormat({ time, severity, verbosity, logger, message, error, values }: LogRecord): string {
  return JSON.stringify({
    ts: time,
    logger,
    msg: message,
    ...(severity === 'info' ? { v: verbosity } : {}),
    ...(error === undefined ? {} : { err: error }),
    ...Object.fromEntries(values),
  });
}
