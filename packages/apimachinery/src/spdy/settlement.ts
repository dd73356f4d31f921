/** A promise that its owner settles. Its rejection may go unhandled. */
export class Settlement {
  readonly promise: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (reason: Error) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.promise.catch(() => undefined);
  }

  resolve(): void {
    this.#resolve();
  }

  reject(reason: Error): void {
    this.#reject(reason);
  }
}
