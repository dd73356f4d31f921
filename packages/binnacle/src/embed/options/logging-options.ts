/** What the server writes to standard error, and how. */
export interface LoggingStartOptions {
  /** `text`, like klog's, or `json`. Each record is one line. Default: `text`. */
  readonly loggingFormat?: string | undefined;
  /** From 2 on, the log has a line for each slow request; from 3 on, for each request. Default: 0. */
  readonly verbosity?: number | undefined;
  /** File of the kind TracingConfiguration. Default: requests have no spans. */
  readonly tracingConfigFile?: string | undefined;
}
