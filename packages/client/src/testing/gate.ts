import { abortable } from '../clock/index.js';

/** What comes here waits while the gate is shut. */
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

  /** Resolves when the gate is open. Rejects with the signal's reason. */
  async passed(signal: AbortSignal | undefined): Promise<void> {
    while (this.#shut !== undefined) await abortable(this.#shut.opened, signal);
  }
}
