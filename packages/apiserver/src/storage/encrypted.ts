const PREFIX = Buffer.from('k8s:enc:');

/**
 * Whether a stored value is encrypted, and so cannot be read here. JSON begins with a brace, protobuf with `k8s` and a zero
 * byte. Upstream: apiserver `pkg/storage/value/encrypt/identity`.
 */
export function isEncrypted(stored: Uint8Array): boolean {
  for (let index = 0; index < PREFIX.length; index++) if (stored[index] !== PREFIX[index]) return false;
  return true;
}
