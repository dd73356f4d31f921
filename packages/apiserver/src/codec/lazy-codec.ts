/** The code of an encoding, loaded on first use. Most servers never need it, and no start waits for it. */
class LazyCodec<Code> {
  readonly #name: string;
  readonly #load: () => Promise<Code>;
  #code: Code | undefined;

  constructor(name: string, load: () => Promise<Code>) {
    this.#name = name;
    this.#load = load;
  }

  /** Settles when {@link code} is loaded; undefined = already loaded. */
  loading(): Promise<void> | undefined {
    return this.#code === undefined ? this.#loaded() : undefined;
  }

  /** Throws unless {@link loading} has settled. */
  get code(): Code {
    if (this.#code === undefined) throw new Error(`the codec of ${this.#name} is not loaded`);
    return this.#code;
  }

  async #loaded(): Promise<void> {
    this.#code = await this.#load();
  }
}

export const cborCodec = new LazyCodec('CBOR', () => import('@binnacle/apimachinery/cbor'));
export const protobufCodec = new LazyCodec('protobuf', () => import('@binnacle/apimachinery/protobuf'));
