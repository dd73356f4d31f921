import type { Change } from '@binnacle/apimachinery/differences';
import type { JsonValue } from '@binnacle/apimachinery/json';

const MOST_SHOWN = 200;

/** Fields that differ, before and after. */
export function FieldChanges({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="dim">No field differs.</p>;
  return (
    <ul class="field-changes">
      {changes.slice(0, MOST_SHOWN).map(({ text, before, after }) => (
        <li key={text}>
          <code class="path">{text}</code>
          {before !== undefined && <del>{shown(before)}</del>}
          {after !== undefined && <ins>{shown(after)}</ins>}
        </li>
      ))}
      {changes.length > MOST_SHOWN && <li class="dim">and {changes.length - MOST_SHOWN} more</li>}
    </ul>
  );
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
