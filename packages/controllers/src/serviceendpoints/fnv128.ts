const OFFSET = [0x62b82175_6295c58dn, 0x6c62272e_07bb0142n] as const;
const LIMB = 2 ** 32;

/**
 * FNV-1a of texts in UTF-8, 128 bits in hexadecimal. The prime is 2^88 + 315, so a multiplication is one by 315 and a shift. Go: `fnv.New128a`.
 */
export class Fnv128a {
  /** The lowest limb first. */
  #limbs = [...limbsOf(OFFSET[0]), ...limbsOf(OFFSET[1])] as const;

  /** Appends a text. */
  update(text: string): this {
    let [limb0, limb1, limb2, limb3] = this.#limbs;
    const bytes = Buffer.from(text);
    for (let index = 0; index < bytes.length; index++) {
      limb0 = (limb0 ^ (bytes[index] ?? 0)) >>> 0;
      // Each sum is below 2^42, so it is exact.
      const sum0 = limb0 * 315;
      const sum1 = limb1 * 315 + Math.floor(sum0 / LIMB);
      const sum2 = limb2 * 315 + ((limb0 << 24) >>> 0) + Math.floor(sum1 / LIMB);
      const sum3 = limb3 * 315 + (limb0 >>> 8) + ((limb1 << 24) >>> 0) + Math.floor(sum2 / LIMB);
      [limb0, limb1, limb2, limb3] = [sum0 >>> 0, sum1 >>> 0, sum2 >>> 0, sum3 >>> 0];
    }
    this.#limbs = [limb0, limb1, limb2, limb3];
    return this;
  }

  digest(): string {
    return this.#limbs
      .toReversed()
      .map((limb) => limb.toString(16).padStart(8, '0'))
      .join('');
  }
}

export function fnv128a(text: string): string {
  return new Fnv128a().update(text).digest();
}

/** The lower limb first. */
function limbsOf(half: bigint): [number, number] {
  return [Number(BigInt.asUintN(32, half)), Number(half >> 32n)];
}
