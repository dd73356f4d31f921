import type { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { createHmac } from 'node:crypto';
import type { SigningToken } from '../bootstraptokens/index.js';

const CONTENT = 'kubeconfig';
const PREFIX = 'jws-kubeconfig-';

/** The data of the ConfigMap with one signature for each token, and no others; undefined if it has them. */
export function signedData(
  { data = {} }: ConfigMap,
  tokens: readonly SigningToken[],
): Readonly<Record<string, string>> | undefined {
  const content = data[CONTENT];
  if (content === undefined) return undefined;
  const others = Object.entries(data).filter(([key]) => !key.startsWith(PREFIX));
  const signatures = tokens.map((token) => [PREFIX + token.id, signatureOf(content, token)] as const);
  const isSame = signatures.every(([key, signature]) => data[key] === signature);
  if (isSame && others.length + signatures.length === Object.keys(data).length) return undefined;
  return Object.fromEntries([...others, ...signatures]);
}

/** A JSON web signature without its content. */
function signatureOf(content: string, { id, secret }: SigningToken): string {
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64url(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
