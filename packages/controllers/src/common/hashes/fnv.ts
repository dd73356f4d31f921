const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1 of bytes, 32 bits. Go: `fnv.New32`. */
export function fnv32(bytes: Uint8Array): number {
  let hash = OFFSET;
  for (const byte of bytes) hash = Math.imul(hash, PRIME) ^ byte;
  return hash >>> 0;
}

/** FNV-1a of bytes, 32 bits. Go: `fnv.New32a`. */
export function fnv32a(bytes: Uint8Array): number {
  return continueFnv32a(OFFSET, bytes);
}

/** Continues {@link fnv32a}: `earlier` is the hash of the bytes before these. */
export function continueFnv32a(earlier: number, bytes: Uint8Array): number {
  let hash = earlier;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/** Without vowels and the digits that look like them, so that no hash spells a word. */
const CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A number as names of objects show it. Upstream: `rand.SafeEncodeString`. */
export function safeEncode(hash: number): string {
  return Array.from(String(hash), (digit) => CHARACTERS[digit.charCodeAt(0) % CHARACTERS.length]).join('');
}
