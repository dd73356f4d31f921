import { parseTime, TimeParseError } from '@binnacle/apimachinery/time';

/** The options of a request for a log. */
export interface LogQuery {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** Only lines from this time on, in milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** An unsuccessful answer of a kubelet. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

const UNREADABLE: Refusal = { code: 400, message: '{"message": "Unable to decode query."}' };
const INVALID: Refusal = { code: 422, message: '{"message": "Invalid request."}' };

/** Reads the query of a request for a log. Upstream: kubelet `getContainerLogs`, `ValidatePodLogOptions`. */
export function readLogQuery(query: URLSearchParams, now: number): LogQuery | Refusal {
  const tail = query.get('tail') ?? query.get('tailLines');
  const [tailLines, limitBytes, sinceSeconds] = [
    query.get('tail') === 'all' ? undefined : integerIn(tail),
    integerIn(query.get('limitBytes')),
    integerIn(query.get('sinceSeconds')),
  ];
  const sinceTime = timeOf(query.get('sinceTime'));
  if ([tailLines, limitBytes, sinceSeconds, sinceTime].some(Number.isNaN)) return UNREADABLE;
  const stream = query.get('stream');
  if (stream !== null && stream !== 'All') {
    return {
      code: 400,
      message: `unable to return the given log stream: ${JSON.stringify(stream)}. Please enable PodLogsQuerySplitStreams feature gate in kubelet`,
    };
  }
  const isInvalid =
    (tailLines ?? 0) < 0 ||
    (limitBytes ?? 1) < 1 ||
    (sinceSeconds ?? 1) < 1 ||
    (sinceSeconds !== undefined && sinceTime !== undefined);
  if (isInvalid) return INVALID;
  return {
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    since: sinceSeconds === undefined ? sinceTime : now - sinceSeconds * 1000,
    tailLines,
    limitBytes,
  };
}

/** Any value but these two is true. Upstream: `Convert_Slice_string_To_bool`. */
const isTrue = (text: string | null): boolean => text !== null && !['0', 'false'].includes(text.toLowerCase());

/** NaN if it is not an integer. */
function integerIn(text: string | null): number | undefined {
  if (text === null) return undefined;
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** NaN if it is not a time. */
function timeOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeParseError) return Number.NaN;
    throw error;
  }
}
