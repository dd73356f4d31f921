import type { CallCredentials } from './credentialed-connections.js';

/** The users of a kubeconfig, each named after the webhooks that it is for. */
export interface WebhookUsers {
  readonly users: ReadonlyMap<string, CallCredentials>;
  /** The user of the current context, for webhooks that no name matches. */
  readonly currentUser: string | undefined;
}

/**
 * The credentials for `host:port`. Names are tried in this order: `host:port`, `*.` and an end of it, the same without
 * the port 443, `*`. Otherwise the current context counts. Undefined: there are none. Upstream: `clientConfig` of
 * apiserver `pkg/util/webhook/authentication.go`.
 */
export function credentialsForHost(
  hostPort: string,
  { users, currentUser }: WebhookUsers,
): CallCredentials | undefined {
  const host = hostPort.endsWith(':443') ? hostPort.slice(0, -':443'.length) : undefined;
  const names = [...namesOf(hostPort), ...(host === undefined ? [] : namesOf(host)), '*'];
  const found = names.find((name) => users.has(name)) ?? currentUser;
  return found === undefined ? undefined : users.get(found);
}

/** `a.b.c`, `*.b.c`, `*.c`. */
function namesOf(target: string): readonly string[] {
  const parts = target.split('.');
  return [target, ...parts.slice(1).map((_, index) => `*.${parts.slice(index + 1).join('.')}`)];
}
