import { getOwn, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { internalError, quoteGo } from '@binnacle/apimachinery/status';

/** What a client learns about a command that ended without an error. */
export const SUCCESS = { metadata: {}, status: 'Success' };

const NON_ZERO = 'NonZeroExitCode';
const EXIT_CODE = 'ExitCode';

/**
 * The Status for a client, from what the kubelet wrote into the stream for errors. Before version 4 that is a plain text.
 * Upstream: client-go `tools/remotecommand` (`errorDecoderV4`), apiserver `codeExitToStatusError`.
 */
export function outcomeOf(protocol: string, text: string): object {
  if (/^v[23]\./.test(protocol)) return failed(`error executing remote command: ${text}`);
  const status = statusIn(text);
  if (status === undefined) return failed(`error stream protocol error: invalid Status in ${quoteGo(text)}`);
  switch (getOwn(status, 'status')) {
    case 'Success':
      return SUCCESS;
    case 'Failure':
      return getOwn(status, 'reason') === NON_ZERO ? exitOf(status) : failed(textIn(status, 'message'));
    default:
      return failed('error stream protocol error: unknown error');
  }
}

/** Why a connection was not upgraded, from the body of the answer. Upstream: `upgradeErrorMessage`. */
export function upgradeFailure(body: string): Error {
  const status = statusIn(body);
  const message = status === undefined ? '' : textIn(status, 'message').trim() || textIn(status, 'error').trim();
  return new Error(`unable to upgrade connection: ${message === '' ? body.trim() : message}`);
}

function exitOf(status: JsonObject): object {
  const details = getOwn(status, 'details');
  if (!isObject(details)) return failed('error stream protocol error: details must be set');
  const causes = getOwn(details, 'causes');
  const cause = (Array.isArray(causes) ? causes : []).find(
    (each) => isObject(each) && textIn(each, 'reason') === EXIT_CODE,
  );
  if (!isObject(cause)) return failed(`error stream protocol error: no ${EXIT_CODE} cause given`);
  const code = textIn(cause, 'message');
  if (!/^[0-9]{1,3}$/.test(code) || Number(code) > 255) {
    return failed(`error stream protocol error: invalid exit code value ${quoteGo(code)}`);
  }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${Number(code)}`,
    reason: NON_ZERO,
    details: { causes: [{ reason: EXIT_CODE, message: String(Number(code)) }] },
  };
}

const failed = (message: string): object => internalError(new Error(message)).status;

function statusIn(text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(Buffer.from(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textIn(object: JsonObject, key: string): string {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : '';
}
