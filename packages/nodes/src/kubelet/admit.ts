import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { DelegatedUser, Delegation } from '@binnacle/client/delegation';
import { isValidAt } from './certificate-validity.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { rightsFor } from './routes.js';

/** An error answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Resolves when the request's user may do what it asks for. Rejects with a {@link Refusal} otherwise. Upstream: `InstallAuthFilter`. */
export async function admit(
  request: IncomingMessage,
  { path, node }: { readonly path: string; readonly node: string },
  { delegation, clock }: Pick<KubeletApiParts, 'delegation' | 'clock'>,
): Promise<void> {
  const user = await userOf(request, delegation, clock.now());
  if (user === undefined) throw new Refusal(401, 'Unauthorized');
  const rights = rightsFor({ method: request.method ?? '', path, node }, user);
  for (const right of rights) {
    if ((await delegation.authorize(right)).allowed) return;
  }
  const verb = rights[0]?.verb ?? '';
  const subresources = rights.map(({ subresource }) => subresource).join(' ');
  throw new Refusal(
    403,
    `Forbidden (user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=[${subresources}])\n`,
  );
}

/** The owner of a verified client certificate, or of a bearer token. */
async function userOf(
  { socket, headers }: IncomingMessage,
  delegation: Delegation,
  now: number,
): Promise<DelegatedUser | undefined> {
  const presented = socket instanceof TLSSocket && socket.authorized ? certificateUser(socket, now) : undefined;
  if (presented !== undefined) return presented;
  const [, token] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? undefined : delegation.userOf(token);
}

/**
 * The common name is the user, each organization a group. A certificate may expire while its connection is open, or be resumed with
 * a session. Upstream: `CommonNameUserConversion`.
 */
function certificateUser(socket: TLSSocket, now: number): DelegatedUser | undefined {
  const presented = socket.getPeerX509Certificate();
  if (presented === undefined || !isValidAt(presented, now)) return undefined;
  // The types leave out that a name may occur several times, and that it may be absent.
  const certificate = socket.getPeerCertificate();
  const subject: Readonly<Record<string, string | string[] | undefined>> = { ...certificate.subject };
  // The last one counts, as for the API server.
  const name = [subject['CN'] ?? []].flat().at(-1);
  if (name === undefined || name === '') return undefined;
  return { name, uid: '', groups: [...[subject['O'] ?? []].flat(), 'system:authenticated'], extra: {} };
}
