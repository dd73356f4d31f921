import { status, type ServiceError } from '@grpc/grpc-js';
import { KVError } from '../interface/index.js';

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}

/** The token has expired, or this member does not know it. The request had no effect. */
export function requiresLogin(error: ServiceError): boolean {
  if (error.code === status.UNAUTHENTICATED) return true;
  return isLoginMessage(detailsOf(error));
}

export function isLoginMessage(text: string): boolean {
  return /invalid auth token|revision of auth store is old|user name is empty/.test(text);
}

/** Whether the request never left this process. */
export function wasNotSent(error: ServiceError): boolean {
  return error.code === status.UNAVAILABLE && detailsOf(error).includes('No connection established');
}

/** The member or the connection may be at fault, so another member may succeed. */
export function isConnectionFault({ code }: ServiceError): boolean {
  return code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED;
}

export function isLeaseNotFound(error: unknown): boolean {
  return isServiceError(error) && detailsOf(error).includes('requested lease not found');
}

/**
 * Converts every failure of gRPC and etcd to a `KVError`. The message of one that is too large is what kube-apiserver answers. Other
 * errors pass through.
 */
export function kvErrorOf(error: unknown): unknown {
  if (!isServiceError(error)) return error;
  const { code } = error;
  const details = detailsOf(error);
  const message = `etcd: ${details.replace(/^etcdserver: (?:mvcc: )?/, '')}`;
  if (details.includes('has been compacted')) return new KVError('compacted', message, { cause: error });
  if (details.includes('is a future revision')) return new KVError('future', message, { cause: error });
  if (details.includes('database space exceeded')) return new KVError('full', message, { cause: error });
  if (details.includes('request is too large')) return new KVError('too-large', details, { cause: error });
  if (/(?<!Received )message larger than max/.test(details)) {
    // kube-apiserver's client does not send such a request; etcd refuses ours at the same size.
    const refused = details.replace('grpc: received message', 'trying to send message');
    return new KVError('too-large', `rpc error: code = ResourceExhausted desc = ${refused}`, { cause: error });
  }
  if (code === status.DATA_LOSS) return new KVError('corrupt', message, { cause: error });
  if (code === status.DEADLINE_EXCEEDED) {
    return new KVError('unavailable', 'etcd did not answer in time', { cause: error });
  }
  return new KVError('unavailable', message, { cause: error });
}

/** gRPC's own errors, such as that of a compressed answer, may have only a message. */
function detailsOf({ details, message }: Omit<ServiceError, 'details'> & { readonly details?: string }): string {
  return details ?? message;
}
