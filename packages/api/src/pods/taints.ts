interface AnyTaint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

interface AnyToleration {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
}

/** Whether the toleration permits the taint, of a node or of a device. Upstream: `ToleratesTaint`. */
export function tolerates(toleration: AnyToleration, { key, value = '', effect }: AnyTaint): boolean {
  if ((toleration.effect ?? effect) !== effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== key) return false;
  const { operator = 'Equal' } = toleration;
  return operator === 'Exists' || (operator === 'Equal' && (toleration.value ?? '') === value);
}

/**
 * The tolerations of a pod, for many taints: an object has room for tens of thousands of either. A taint costs a few look-ups,
 * and answers as {@link tolerates} does.
 */
export class Tolerations<T extends AnyToleration = AnyToleration> {
  /** The first toleration of each pattern, with its position. */
  readonly #first = new Map<string, { readonly position: number; readonly toleration: T }>();

  constructor(tolerations: readonly T[] = []) {
    for (const [position, toleration] of tolerations.entries()) {
      const { key = '', operator = 'Equal', value = '', effect = ANY } = toleration;
      const pattern = patternOf(key, effect, operator === 'Exists' ? ANY : `${operator} ${value}`);
      if (!this.#first.has(pattern)) this.#first.set(pattern, { position, toleration });
    }
  }

  /** The first toleration that permits the taint. */
  find({ key, value = '', effect }: AnyTaint): T | undefined {
    if (this.#first.size === 0) return undefined;
    let found: { readonly position: number; readonly toleration: T } | undefined;
    for (const ofKey of [key, '']) {
      for (const ofEffect of [effect, ANY]) {
        for (const condition of [ANY, `Equal ${value}`]) {
          const present = this.#first.get(patternOf(ofKey, ofEffect, condition));
          if (present !== undefined && present.position < (found?.position ?? Infinity)) found = present;
        }
      }
    }
    return found?.toleration;
  }

  permit(taint: AnyTaint): boolean {
    return this.find(taint) !== undefined;
  }
}

/** No key, effect or operator has a space. */
const ANY = ' ';

function patternOf(key: string, effect: string, condition: string): string {
  return `${key} ${effect} ${condition}`;
}
