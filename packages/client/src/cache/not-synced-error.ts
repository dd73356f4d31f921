/** Informers that do not hold yet what there is. */
export class NotSyncedError extends Error {
  override readonly name = 'NotSyncedError';
  /** Their names. */
  readonly informers: readonly string[];

  /** `reason`: why nobody waits any longer. */
  constructor(informers: readonly { readonly name: string; readonly failure: unknown }[], reason: unknown) {
    super(`not synced: ${informers.map(describe).join('; ')}`, { cause: reason });
    this.informers = informers.map(({ name }) => name);
  }
}

function describe({ name, failure }: { readonly name: string; readonly failure: unknown }): string {
  return failure instanceof Error ? `${name} (${failure.message})` : name;
}
