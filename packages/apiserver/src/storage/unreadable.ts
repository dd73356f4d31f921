/** An object that the store has and no one can read. */
export interface UnreadableObject {
  readonly key: string;
  /** The revision of its newest write; 0 = unknown. */
  readonly revision: number;
  /**
   * - `untransformable`: its bytes are damaged, or no key decrypts them
   * - `undecodable`: its bytes are not an object that this server knows
   */
  readonly problem: 'untransformable' | 'undecodable';
  /** Undefined: the bytes are damaged. */
  readonly reason: string | undefined;
}

/** Messages name at most this many other keys. Upstream: the limit of its list errors. */
export const MAX_UNREADABLE = 100;

/** Says of the first object why it cannot be read, and names the others. */
export function messageOfUnreadable([first, ...others]: readonly UnreadableObject[]): string {
  if (first === undefined) return 'the stored data cannot be read';
  if (others.length === 0) return messageOfOne(first);
  const named = others.slice(0, MAX_UNREADABLE).map(({ key }) => JSON.stringify(key));
  const more = others.length > MAX_UNREADABLE ? ` and more` : '';
  return `${messageOfOne(first)}; other objects cannot be read either: ${named.join(', ')}${more}`;
}

function messageOfOne({ key, problem, reason }: UnreadableObject): string {
  const name = JSON.stringify(key);
  if (reason === undefined) return `the stored data of ${name} is damaged`;
  if (problem === 'undecodable') return `the stored data of ${name} cannot be decoded: ${reason}`;
  return `unable to transform key ${name}: ${reason}`;
}

/** Why an object cannot be read, in upstream's words. Upstream: apiserver `corruptObjectError` of etcd3. */
export function corruptionOf({ problem, revision, reason }: UnreadableObject): string {
  if (problem === 'undecodable') return `object not decodable revision=${revision}: ${reason ?? ''}`;
  return `data from the storage is not transformable revision=0: ${reason ?? 'the stored data is damaged'}`;
}
