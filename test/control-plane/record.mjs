/** Recordings: what several plays of a scenario agree on, as text with a line for each object. */
import { combineEvents } from './events.mjs';

/** The steps of one recording. Where the plays differ it has `<any>`. */
export function combine(plays) {
  const [first] = plays;
  return first.map((step, index) => {
    const all = plays.map((steps) => steps[index] ?? {});
    if (step.events !== undefined) return { events: combineEvents(all.map(({ events = [] }) => events)) };
    return common(all);
  });
}

function common(values) {
  const [first] = values;
  if (values.every((value) => JSON.stringify(value) === JSON.stringify(first))) return first;
  if (values.every(Array.isArray)) {
    if (values.some((value) => value.length !== first.length)) return '<any>';
    return first.map((_, index) => common(values.map((value) => value[index])));
  }
  if (values.some((value) => typeof value !== 'object' || value === null || Array.isArray(value))) return '<any>';
  const fields = new Set(values.flatMap(Object.keys));
  return Object.fromEntries(Array.from(fields, (field) => [field, common(values.map((value) => value[field]))]));
}

/** The file of an area: its scenarios by name. */
export function print(recordings) {
  const scenarios = Object.keys(recordings)
    .sort()
    .map((name) => `${JSON.stringify(name)}: [\n${recordings[name].map(printStep).join(',\n')}\n]`);
  return `{\n${scenarios.join(',\n')}\n}\n`;
}

function printStep(step) {
  if (step.events !== undefined) return ` {"events": [${step.events.map((event) => `\n   ${JSON.stringify(event)}`)}]}`;
  if (step.snapshot === undefined) return ` ${JSON.stringify(step)}`;
  const kinds = Object.entries(step.objects).map(
    ([kind, objects]) => `  ${JSON.stringify(kind)}: ${printList(objects)}`,
  );
  return ` {"snapshot": ${JSON.stringify(step.snapshot)}, "objects": {\n${kinds.join(',\n')}}}`;
}

const printList = (objects) =>
  Array.isArray(objects) ? `[${objects.map((object) => `\n   ${JSON.stringify(object)}`)}]` : JSON.stringify(objects);
