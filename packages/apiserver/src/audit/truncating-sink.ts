import { Buffer } from 'node:buffer';
import type { AuditEvent } from './event.js';
import type { AuditSink } from './sink.js';

/**
 * Passes events on that are within a size: a larger one without its bodies, and none if it is too large even so. Sizes are of
 * JSON, in bytes. Upstream: apiserver `plugin/pkg/audit/truncate`.
 */
export function truncatingSink(sink: AuditSink, maximumBytes: number, lost: (error: unknown) => void): AuditSink {
  const fits = (event: AuditEvent): boolean => Buffer.byteLength(event.json) <= maximumBytes;
  return {
    take: (event) => {
      const shown = fits(event) ? event : event.truncated();
      if (shown === event || fits(shown)) return sink.take(shown);
      lost(new Error(`the event exceeds ${maximumBytes} bytes`));
      return Promise.resolve(true);
    },
    backlog: () => sink.backlog(),
    close: (withinMs) => sink.close(withinMs),
  };
}
