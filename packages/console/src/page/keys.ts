import type { App, Tab, ViewName } from './app.js';

/** The keys for one action, and its description for the help. */
export interface Key {
  readonly keys: readonly string[];
  readonly does: string;
  readonly act: (app: App) => void;
}

export const VIEWS: readonly { readonly name: ViewName; readonly title: string; readonly hint: string }[] = [
  { name: 'workloads', title: 'Workloads', hint: 'owners and their dependents, down to the pods' },
  { name: 'changes', title: 'Changes', hint: 'what happens, as it happens' },
  { name: 'objects', title: 'Objects', hint: 'all objects of a kind' },
  { name: 'nodes', title: 'Nodes', hint: 'nodes and their pods' },
  { name: 'load', title: 'Load', hint: 'requests, latency and watches' },
  { name: 'compare', title: 'Compare', hint: 'what differs between two moments' },
  { name: 'faults', title: 'Faults', hint: 'make requests fail on purpose' },
];

const tab = (name: Tab) => (app: App) => {
  if (app.selected.value !== undefined) app.tab.value = name;
};

export const KEYS: readonly Key[] = [
  ...VIEWS.map(({ name, title }, index) => ({
    keys: [String(index + 1)],
    does: `show ${title}`,
    act: (app: App) => app.show(name),
  })),
  {
    keys: ['/', 'Control+k'],
    does: 'search objects, kinds and commands',
    act: (app) => (app.overlay.value = 'search'),
  },
  { keys: ['f'], does: 'filter what is shown', act: () => focus('filter') },
  { keys: ['n'], does: 'choose the namespace', act: () => focus('namespace') },
  {
    keys: ['v'],
    does: 'show leases, events and endpoints too',
    act: (app) => app.setFilter({ noise: !app.filter.value.noise }),
  },
  { keys: ['y'], does: 'the object: fields and their owners', act: tab('fields') },
  { keys: ['s'], does: 'the object: conditions and events', act: tab('status') },
  { keys: ['h'], does: 'the object: history', act: tab('history') },
  { keys: ['e'], does: 'the object: edit', act: tab('edit') },
  { keys: ['g'], does: 'the pod: log', act: tab('log') },
  { keys: ['['], does: 'go to the change before', act: (app) => app.step(-1) },
  { keys: [']'], does: 'go to the change after', act: (app) => app.step(1) },
  { keys: ['l'], does: 'back to now', act: (app) => app.goTo(undefined) },
  { keys: ['F'], does: 'start a fork from the moment that is shown', act: (app) => void app.startFork() },
  { keys: ['m'], does: 'mark this moment, to compare it with another', act: markMoment },
  { keys: ['t'], does: 'dark or light', act: (app) => app.switchTheme() },
  { keys: ['?'], does: 'show all keys', act: (app) => (app.overlay.value = 'help') },
  { keys: ['Escape'], does: 'close what is open, then back to now', act: leave },
];

/** The keys of lists, for the help. */
export const LIST_KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move'],
  ['Enter', 'open'],
  ['← →', 'close or open a line of the tree'],
  ['Home End', 'first and last'],
];

/** Carries out the action of a key, unless the person is writing. Returns whether there was one. */
export function pressed(app: App, event: KeyboardEvent): boolean {
  const name = `${event.ctrlKey || event.metaKey ? 'Control+' : ''}${event.key}`;
  const isWriting = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  if (isWriting && name !== 'Escape' && name !== 'Control+k') return false;
  if (app.overlay.value !== undefined && name !== 'Escape') return false;
  const key = KEYS.find(({ keys }) => keys.includes(name));
  if (key === undefined) return false;
  key.act(app);
  return true;
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}

function markMoment(app: App): void {
  app.past.mark.value = app.past.moment.value ?? { time: app.clock.value };
}

function leave(app: App): void {
  const { activeElement } = document;
  if (app.overlay.value !== undefined) app.overlay.value = undefined;
  else if (activeElement instanceof HTMLElement && activeElement.matches('input, textarea, select'))
    activeElement.blur();
  else if (app.selected.value !== undefined) app.close();
  else app.goTo(undefined);
}
