import { abortable } from '@binnacle/apimachinery/clock';

/** A gate that callers pass only while it is open. */
export class Gate {
  #shut: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

  shut(): void {
    if (this.#shut !== undefined) return;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#shut = { opened, open };
  }

  open(): void {
    this.#shut?.open();
    this.#shut = undefined;
  }

  /** Resolves once the gate is open. Rejects with the signal's reason. */
  async passed(signal: AbortSignal | undefined): Promise<void> {
    while (this.#shut !== undefined) await abortable(this.#shut.opened, signal);
  }
}
