import type { Toleration } from '@binnacle/api/types/core-v1';

/**
 * Tolerations by what they permit, so that a toleration costs a few look-ups: a pod has room for tens of thousands.
 * Upstream: `isSuperset` of `pkg/util/tolerations`.
 */
class TolerationSet {
  readonly #members = new Set<string>();
  /** By pattern, the longest time. */
  readonly #longest = new Map<string, number>();

  constructor(tolerations: readonly Toleration[]) {
    for (const toleration of tolerations) {
      const pattern = ownPattern(toleration);
      this.#members.add(textOf(toleration));
      this.#longest.set(pattern, Math.max(this.#longest.get(pattern) ?? -Infinity, secondsOf(toleration)));
    }
  }

  /** Whether one of the set permits at least what `toleration` permits; `strictly`: it must permit more. */
  covers(toleration: Toleration, strictly = false): boolean {
    const { key = '', effect = '', operator = '', value = '' } = toleration;
    const seconds = secondsOf(toleration);
    const own = ownPattern(toleration);
    // An empty operator means Equal, but such a toleration covers only those that say so.
    const conditions = ['Exists', ...(operator === 'Equal' ? [`Equal ${value}`, ` ${value}`] : [])];
    const larger = new Set([...combine([key], [effect, ''], conditions), ...combine([''], [effect, ''], ['Exists'])]);
    if (!strictly && this.#members.has(textOf(toleration))) return true;
    const hasTime = operator === 'Exists' || operator === 'Equal';
    if (hasTime && (this.#longest.get(own) ?? -Infinity) > seconds) return true;
    larger.delete(own);
    return [...larger].some((pattern) => {
      const limit = this.#longest.get(pattern);
      return limit !== undefined && (!limitsTime(pattern) || limit >= seconds);
    });
  }
}

/** Both lists, without duplicates and without tolerations that another one includes. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = new Map([...first, ...second].map((each) => [textOf(each), each]));
  const distinct = [...all.values()];
  const set = new TolerationSet(distinct);
  return distinct.filter((each) => !set.covers(each, true));
}

/** Whether the list permits each of the tolerations. An empty list permits all. */
export function areListed(tolerations: readonly Toleration[], list: readonly Toleration[]): boolean {
  if (list.length === 0) return true;
  const set = new TolerationSet(list);
  return tolerations.every((each) => set.covers(each));
}

function ownPattern({ key = '', effect = '', operator = '', value = '' }: Toleration): string {
  return patternOf(key, effect, operator === 'Exists' ? operator : `${operator} ${value}`);
}

/** The same for equal tolerations. */
const textOf = (toleration: Toleration): string => `${ownPattern(toleration)} ${secondsOf(toleration)}`;

/** No valid key, effect or operator has a space. */
const patternOf = (key: string, effect: string, condition: string): string => `${key} ${effect} ${condition}`;

function combine(keys: readonly string[], effects: readonly string[], conditions: readonly string[]): string[] {
  return keys.flatMap((key) =>
    effects.flatMap((effect) => conditions.map((condition) => patternOf(key, effect, condition))),
  );
}

/** Only evictions wait. */
const limitsTime = (pattern: string): boolean => pattern.split(' ')[1] === 'NoExecute';

const secondsOf = ({ tolerationSeconds }: Toleration): number => Number(tolerationSeconds ?? Infinity);
