import { MAX_NOTE_BYTES } from '@binnacle/kv';

/**
 * The result of a process that canonicalized all stored values of a resource, for later processes. Values that were
 * current at `revision` have the canonical form of `fingerprint`, except for those that the revisions in `others` wrote.
 */
export interface Verification {
  readonly fingerprint: number;
  readonly revision: number;
  readonly others: ReadonlySet<number>;
}

/** The note that the store keeps. Undefined if it would be too long, because too many values have another form. */
export function encodeVerification({ fingerprint, revision, others }: Verification): Uint8Array | undefined {
  // Each revision takes a digit and a comma at least.
  if (others.size * 2 > MAX_NOTE_BYTES) return undefined;
  // The differences between revisions have fewer digits.
  const sorted = [...others].sort((a, b) => a - b);
  const steps = sorted.map((other, index) => other - (sorted[index - 1] ?? 0));
  const note = Buffer.from(JSON.stringify({ fingerprint, revision, others: steps }));
  return note.length > MAX_NOTE_BYTES ? undefined : note;
}

/** Undefined unless {@link encodeVerification} made the note. */
export function decodeVerification(note: Uint8Array): Verification | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(note).toString());
  } catch {
    return undefined;
  }
  if (!isRecorded(parsed)) return undefined;
  const { fingerprint, revision } = parsed;
  let last = 0;
  const others = new Set(parsed.others.map((step) => (last += step)));
  return { fingerprint, revision, others };
}

interface Recorded {
  readonly fingerprint: number;
  readonly revision: number;
  readonly others: readonly number[];
}

function isRecorded(value: unknown): value is Recorded {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, revision, others } = value as Partial<Record<keyof Recorded, unknown>>;
  return (
    [fingerprint, revision].every(Number.isSafeInteger) && Array.isArray(others) && others.every(Number.isSafeInteger)
  );
}
