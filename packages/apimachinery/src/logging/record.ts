export type LogValue = string | number | boolean;

/** One record. Values keep their order. */
export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly severity: 'info' | 'error';
  readonly verbosity: number;
  /** The part of the program that logs, such as `requests`. */
  readonly logger: string;
  readonly message: string;
  /** Of an error: its text. */
  readonly error?: string | undefined;
  readonly values: readonly (readonly [key: string, value: LogValue])[];
}

/** Formats a record as one line, without a line break at its end. */
export type LogFormat = (record: LogRecord) => string;
