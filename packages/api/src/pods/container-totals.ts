import { Quantity } from '@binnacle/apimachinery/quantity';
import type { PodSpec } from '../generated/types/core-v1.js';

type Amounts = Map<string, Quantity>;

/** The pod's peak demand of each resource: that of its running containers or of any init step, whichever is greater. */
export function containerTotals(spec: PodSpec, part: 'limits' | 'requests'): ReadonlyMap<string, Quantity> {
  const running: Amounts = new Map();
  const sidecars: Amounts = new Map();
  const initializing: Amounts = new Map();
  for (const container of spec.containers ?? []) addAll(running, amountsOf(container.resources?.[part]));
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container.resources?.[part]);
    if (container.restartPolicy === 'Always') {
      addAll(running, own);
      addAll(sidecars, own);
      raiseAll(initializing, sidecars);
    } else {
      const together = new Map(own);
      addAll(together, sidecars);
      raiseAll(initializing, together);
    }
  }
  raiseAll(running, initializing);
  return running;
}

function amountsOf(list: Readonly<Record<string, string>> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, amount]) => [name, Quantity.parse(amount)]));
}

function addAll(target: Amounts, source: Amounts): void {
  for (const [name, amount] of source) target.set(name, target.get(name)?.add(amount) ?? amount);
}

function raiseAll(target: Amounts, source: Amounts): void {
  for (const [name, amount] of source) {
    const present = target.get(name);
    if (present === undefined || amount.compare(present) > 0) target.set(name, amount);
  }
}
