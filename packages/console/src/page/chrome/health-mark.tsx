import type { Health } from '../../model/index.js';
import { HEALTH_SIGN, HEALTH_WORD } from '../texts.js';

/** A health by colour, shape and word. */
export function HealthMark({ health }: { readonly health: Health }) {
  return (
    <span class={`health ${health}`} role="img" aria-label={HEALTH_WORD[health]} title={HEALTH_WORD[health]}>
      {HEALTH_SIGN[health]}
    </span>
  );
}
