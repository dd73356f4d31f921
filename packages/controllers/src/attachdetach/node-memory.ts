import type { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';

/** What the loop remembers of one node between reconciles. A restart loses it: timers begin again, and warnings are repeated. */
export class NodeMemory {
  /** By uid of the attachment. */
  #unwantedSince = new Map<string, number>();
  /** The last warning about an attachment, by its name. */
  #warnings = new Map<string, string>();
  /** Of the node's status when the node was last seen. */
  volumesInUse: readonly string[] | undefined;

  /** Begins to count when it is first called for an attachment. */
  unwantedSince({ metadata: { uid = '' } }: VolumeAttachment, now: number): number {
    const since = this.#unwantedSince.get(uid) ?? now;
    this.#unwantedSince.set(uid, since);
    return since;
  }

  /** Returns false if this is the last warning that was given. */
  warns(name: string, text: string): boolean {
    if (this.#warnings.get(name) === text) return false;
    this.#warnings.set(name, text);
    return true;
  }

  /** Forgets all but these. */
  keep(unwanted: ReadonlySet<string>, warned: ReadonlySet<string>): void {
    this.#unwantedSince = new Map([...this.#unwantedSince].filter(([uid]) => unwanted.has(uid)));
    this.#warnings = new Map([...this.#warnings].filter(([name]) => warned.has(name)));
  }
}
