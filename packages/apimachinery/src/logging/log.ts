import { type Clock, TokenBucket } from '../clock/index.js';
import { messageOf } from '../errors/index.js';
import type { LogFormat, LogRecord, LogValue } from './record.js';

export interface LogOptions {
  readonly clock: Clock;
  readonly format: LogFormat;
  /** Records of a higher verbosity are dropped. */
  readonly verbosity: number;
  /** Gets each line with its line break. It must not throw. */
  readonly write: (line: string) => void;
}

type Values = LogRecord['values'];

/** How many errors are written. With lines of 4 KiB, that is 3.5 GB a day. */
const ERRORS = { qps: 10, burst: 1000 };
/** In UTF-16 code units. A stack trace is shorter. */
const LONGEST_VALUE = 4 * 1024;

/** Writes records of a log. */
export class Log {
  readonly #options: LogOptions;
  readonly #errors: TokenBucket;
  #dropped = 0;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#errors = new TokenBucket(ERRORS, options.clock);
  }

  /** Whether records of this verbosity are written. */
  enabled(verbosity: number): boolean {
    return verbosity <= this.#options.verbosity;
  }

  info(verbosity: number, logger: string, message: string, values: Values = []): void {
    if (this.enabled(verbosity)) this.#write({ severity: 'info', verbosity, logger, message, values });
  }

  /**
   * Writes an error, or without one a message that the operator should see: 1000 at once, and ten a second after that.
   * The first one after dropped ones says how many they were.
   */
  error(logger: string, message: string, error: unknown, values: Values = []): void {
    if (!this.#errors.tryTake()) {
      this.#dropped++;
      return;
    }
    const dropped: Values = this.#dropped === 0 ? [] : [['droppedErrors', this.#dropped]];
    this.#dropped = 0;
    this.#write({
      severity: 'error',
      verbosity: 0,
      logger,
      message,
      error: error === undefined ? undefined : cut(messageOf(error)),
      values: [...values, ...dropped],
    });
  }

  #write(record: Omit<LogRecord, 'time'>): void {
    const { clock, format, write } = this.#options;
    const values = record.values.map(([key, value]) => [key, cut(value)] as const);
    write(`${format({ ...record, values, time: clock.now() })}\n`);
  }
}

function cut<T extends LogValue>(value: T): T | string {
  return typeof value === 'string' && value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}...` : value;
}
