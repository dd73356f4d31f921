import type { ServeOption } from '../serve-option.js';

/** What the server reports of its work: on standard error, and to a collector. */
export const loggingOptions: readonly ServeOption[] = [
  {
    name: 'logging-format',
    type: 'text',
    placeholder: 'FORMAT',
    key: 'loggingFormat',
    default: 'text',
    description: "format of the lines on standard error: text, like klog's, or json",
  },
  {
    name: 'v',
    short: 'v',
    type: 'count',
    placeholder: 'LEVEL',
    key: 'verbosity',
    default: '0',
    description:
      'verbosity of the log: from 1 on, a line for each stage of a stop; from 2 on, a line for each request that takes 500 ms or more, with the time of its steps; from 3 on, a line for each request, with its audit id, user, status and latency',
  },
  {
    name: 'tracing-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tracingConfigFile',
    description:
      'file with a TracingConfiguration: the collector of OpenTelemetry that gets the spans of requests, and how many of a million requests have them',
  },
];
