import { badRequest, quoteGo, type Status, StatusError } from '@binnacle/apimachinery/status';

/** The highest status code of HTTP/2. */
const HIGHEST_STATUS = 599;

/** A webhook has refused the request. */
export class Denial extends StatusError {}

/**
 * The answer to a request that a webhook has refused: the webhook's own status, but always a failure. Upstream:
 * apiserver `plugin/webhook/errors`.
 */
export function denial(webhook: string, given: Partial<Status> = {}): Denial {
  const { code = 0, message = '', reason, details, metadata } = given;
  const said = message || reason || '';
  const who = `admission webhook ${quoteGo(webhook)} denied the request`;
  return new Denial({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: metadata ?? {},
    status: 'Failure',
    message: said === '' ? `${who} without explanation` : `${who}: ${said}`,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: code < 400 ? 400 : code > HIGHEST_STATUS ? 500 : code,
  });
}

/** The refusal of a dry run by the configuration of a webhook. */
export function noDryRun(webhook: string): StatusError {
  return badRequest(`admission webhook ${quoteGo(webhook)} does not support dry run`);
}
