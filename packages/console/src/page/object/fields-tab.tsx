import { useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type FieldLine, type KindInfo, objectAt, ownedFields, type OwnedFields } from '../../model/index.js';
import { useApp } from '../context.js';
import { age, count } from '../texts.js';

/** Lines that are rendered; a longer object is cut, and says so. */
const MOST_LINES = 3000;
const COLOURS = 8;

/** The object as YAML, each line in the colour of its owner. */
export function FieldsTab({ object, kind }: { readonly object: JsonObject; readonly kind: KindInfo }) {
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [isRevealed, setRevealed] = useState(false);
  const isSecret = kind.kind === 'Secret' && kind.group === '';
  const fields = useMemo(
    () => ownedFields(isSecret && !isRevealed ? withoutValues(object) : object),
    [object, isSecret, isRevealed],
  );
  return (
    <>
      <Legend fields={fields} chosen={chosen} onChoose={setChosen} />
      {isSecret && (
        <button type="button" class="button" onClick={() => setRevealed(!isRevealed)}>
          {isRevealed ? 'Hide the values' : 'Show the values'}
        </button>
      )}
      <pre class={chosen === undefined ? 'yaml' : 'yaml choosing'}>
        {fields.lines.slice(0, MOST_LINES).map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} line={line} fields={fields} chosen={chosen} />
        ))}
      </pre>
      {fields.lines.length > MOST_LINES && (
        <p class="dim">and {count(fields.lines.length - MOST_LINES, 'line')} more</p>
      )}
    </>
  );
}

function withoutValues(secret: JsonObject): JsonObject {
  const masked = Object.fromEntries(Object.keys(objectAt(secret, 'data')).map((key) => [key, '••••••••']));
  return { ...secret, data: masked };
}

interface LegendProps {
  readonly fields: OwnedFields;
  readonly chosen: number | undefined;
  readonly onChoose: (owner: number | undefined) => void;
}

function Legend({ fields: { owners, lines }, chosen, onChoose }: LegendProps) {
  const app = useApp();
  if (owners.length === 0) return <p class="dim">The server says nothing about who owns these fields.</p>;
  const owned = owners.map((_, index) => lines.filter((line) => line.owners.includes(index)).length);
  return (
    <ul class="owners" aria-label="Owners of fields">
      {owners.map(({ manager, operation, subresource, time }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <button
            type="button"
            class={`owner own-${index % COLOURS}`}
            aria-pressed={chosen === index}
            title={`${operation}${subresource === '' ? '' : ` of ${subresource}`}, ${count(owned[index] ?? 0, 'line')}`}
            onClick={() => onChoose(chosen === index ? undefined : index)}
          >
            <i /> {manager}
            <span class="dim">
              {subresource === '' ? (operation === 'Apply' ? 'applied' : '') : subresource}{' '}
              {time === '' ? '' : age(Date.parse(time), app.clock.value)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly line: FieldLine;
  readonly fields: OwnedFields;
  readonly chosen: number | undefined;
}

function Line({ line: { text, owners }, fields, chosen }: LineProps) {
  const [first] = owners;
  const classes = ['yaml-line'];
  const shownOwner = chosen !== undefined && owners.includes(chosen) ? chosen : first;
  if (shownOwner !== undefined) classes.push(`own-${shownOwner % COLOURS}`);
  if (chosen !== undefined && owners.includes(chosen)) classes.push('chosen');
  const names = owners.map((owner) => fields.owners[owner]?.manager ?? '').join(', ');
  const [, indent = '', key, rest = text] = /^([ -]*)((?:[^\s:"']|:(?=\S))+:)(.*)$/.exec(text) ?? [
    undefined,
    '',
    undefined,
  ];
  return (
    <span class={classes.join(' ')} title={names === '' ? undefined : `owned by ${names}`}>
      {indent}
      {key !== undefined && <b>{key}</b>}
      {rest}
      {'\n'}
    </span>
  );
}
