/** The metrics of one process. */
export interface ProcessMetrics {
  /** The value of the label `worker`. */
  readonly worker: string;
  /** In Prometheus' text format. */
  readonly text: string;
}

interface Family {
  /** `# HELP` and `# TYPE`. */
  readonly head: string[];
  readonly samples: string[];
}

/**
 * The metrics of several processes in one text. Each sample gets the label `worker`, so that counters of different
 * processes stay apart, and queries add them up. The families are in the order of their names.
 */
export function mergeMetrics(processes: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of processes) {
    let family: Family | undefined;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('# ')) {
        family = familyOf(families, line);
        continue;
      }
      family?.samples.push(labelled(line, `worker="${worker}"`));
    }
  }
  const sorted = [...families].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([, { head, samples }]) => [...head, ...samples, ''].join('\n')).join('');
}

function familyOf(families: Map<string, Family>, line: string): Family {
  const [, keyword, name = ''] = line.split(' ', 3);
  const family = families.get(name) ?? { head: [], samples: [] };
  families.set(name, family);
  const index = keyword === 'HELP' ? 0 : 1;
  family.head[index] ??= line;
  return family;
}

/** A name cannot contain a brace, and a sample without labels has a space after its name. */
function labelled(sample: string, label: string): string {
  const end = sample.search(/[{ ]/);
  const name = sample.slice(0, end);
  if (sample[end] !== '{') return `${name}{${label}}${sample.slice(end)}`;
  const rest = sample.slice(end + 1);
  return `${name}{${label}${rest.startsWith('}') ? '' : ','}${rest}`;
}

/** Requests for a text that is being made get the same one: it takes megabytes, and a turn of the loop. */
export function sharedTexts(make: (path: string) => Promise<string>): (path: string) => Promise<string> {
  const underWay = new Map<string, Promise<string>>();
  return (path) => {
    const shared = underWay.get(path);
    if (shared !== undefined) return shared;
    const text = make(path).finally(() => underWay.delete(path));
    underWay.set(path, text);
    return text;
  };
}
