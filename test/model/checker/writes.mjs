import { namespaces } from '../resources.mjs';
import { apply, contentOfBody } from './apply.mjs';
import { describe } from './log.mjs';

/**
 * Created, Updated, Deleted: every event has one write that could make it from the object's state. Every acknowledged
 * write has its event, and refused ones have none. Also records the revision of each write in the timeline.
 */
export class WriteCheck {
  #log;
  #timeline;
  #report;
  /** By token. */
  #writes = new Map();
  /** Deletes by `resource key`. */
  #deletes = new Map();
  /** Tokens of writes with an event, and uids of deleted objects. */
  #used = new Set();
  #uids = new Set();
  /** Pairs of write and event, where the event is known. */
  #made = [];

  constructor(history, log, timeline, report) {
    this.#log = log;
    this.#timeline = timeline;
    this.#report = report;
    for (const entry of history.entries) {
      if (entry.type !== 'write') continue;
      if (entry.op !== 'delete') this.#writes.set(entry.token, entry);
      else {
        const place = `${entry.resource} ${entry.key}`;
        this.#deletes.set(place, [...(this.#deletes.get(place) ?? []), entry]);
      }
    }
  }

  /** First pass: finds the write of each event. */
  explainEvents(resources) {
    for (const resource of resources) {
      for (const event of this.#log.allOf(resource)) {
        if (!namespaces.includes(event.key.split('/')[0])) continue;
        const before = event.previous?.type === 'put' ? event.previous : undefined;
        const write = event.type === 'delete' ? this.#explainDelete(event, before) : this.#explainPut(event, before);
        if (write === undefined) continue;
        this.#made.push({ write, event });
        if (write.outcome === 'done') this.#timeline.saw(write.returned, event.revision);
        this.#timeline.wrote(write.invoked, event.revision);
      }
    }
  }

  #explainPut(event, before) {
    const after = this.#log.parse(event.body);
    const present = before === undefined ? undefined : this.#log.parse(before.body);
    if (present === undefined) {
      if (this.#uids.has(after.uid))
        this.#report('Created', `uid ${after.uid} is there a second time: ${describe(event)}`);
      this.#uids.add(after.uid);
    }
    if (present !== undefined && present.payload.token === after.payload.token) {
      return this.#explainMark(event, before, present);
    }
    const write = this.#writes.get(after.payload.token);
    const predicate = present === undefined ? 'Created' : 'Updated';
    if (write === undefined || write.resource !== event.resource || write.key !== event.key) {
      this.#report(predicate, `no write of this object made ${describe(event)}`, write);
      return undefined;
    }
    if (this.#used.has(write.token))
      this.#report(predicate, `one write made a second event: ${describe(event)}`, write);
    this.#used.add(write.token);
    if (write.outcome === 'refused') this.#report(predicate, `a refused write was done: ${describe(event)}`, write);
    if (write.dryRun) this.#report(predicate, `a dry run was done: ${describe(event)}`, write);
    const expected = apply(write, present, before?.revision);
    const matches =
      expected?.made === undefined
        ? expected?.body === event.body
        : expected.made === contentOfBody(after) && !after.deleting;
    if (!matches) {
      const was = before === undefined ? 'nothing' : describe(before);
      this.#report(predicate, `${describe(event)} does not follow from ${was}`, write);
    }
    return write;
  }

  /** A delete that only marks its object, because of a finalizer. */
  #explainMark(event, before, present) {
    if (before.body === event.body) {
      this.#report('Updated', `nothing changed: ${describe(event)} after ${describe(before)}`);
      return undefined;
    }
    const candidates = this.#candidates(event).filter(
      (write) => apply(write, present, before.revision)?.body === event.body && !present.deleting,
    );
    if (candidates.length === 0)
      this.#report('Deleted', `no command marked ${describe(event)}, after ${describe(before)}`);
    // The answer to a second delete has the first one's mark, so they cannot be told apart.
    return undefined;
  }

  #explainDelete(event, before) {
    if (before === undefined) {
      this.#report('Deleted', `there was nothing to delete: ${describe(event)}`);
      return undefined;
    }
    if (before.body !== event.body)
      this.#report('Deleted', `${describe(event)} shows another last state than ${describe(before)}`);
    const present = this.#log.parse(before.body);
    const fits = (write) => apply(write, present, before.revision)?.gone === true;
    const removals = [...this.#writes.values()].filter(
      (write) =>
        present.deleting &&
        write.resource === event.resource &&
        write.key === event.key &&
        write.outcome !== 'refused' &&
        !write.dryRun,
    );
    const candidates = [...this.#candidates(event), ...removals].filter(fits);
    const owners = candidates.filter(
      (write) => write.outcome === 'done' && write.gone === true && write.uid === present.uid,
    );
    if (candidates.length === 0) this.#report('Deleted', `no command made ${describe(event)}`);
    if (owners.length > 1)
      this.#report('Deleted', `${owners.length} were told that they deleted ${describe(event)}`, owners[1]);
    const [owner] = owners;
    if (owner !== undefined) this.#used.add(owner.token);
    return owner;
  }

  #candidates(event) {
    const all = this.#deletes.get(`${event.resource} ${event.key}`) ?? [];
    return all.filter((write) => write.outcome !== 'refused' && !write.dryRun);
  }

  /** Second pass, with a sealed timeline: each acknowledged write has its event between invocation and response. */
  checkOutcomes(history, failing) {
    for (const { write, event } of this.#made) {
      const reached = this.#timeline.reachedBefore(write.invoked);
      if (event.revision <= reached) {
        this.#report(
          'Server',
          `revision ${reached} had been seen before the write began that got ${event.revision}`,
          write,
        );
      }
      if (write.returned !== undefined && event.revision > this.#timeline.limitAt(write.returned)) {
        this.#report('Server', `a write that began later got an older revision than ${event.revision}`, write);
      }
    }
    for (const entry of history.entries) {
      if (entry.type !== 'write') continue;
      if (entry.outcome === 'done' && !entry.dryRun) this.#checkDone(entry);
      if (entry.outcome === 'refused') this.#checkRefused(entry);
      if (entry.status >= 500 && !failing) this.#report('Server', `${entry.status} ${entry.message}`, entry);
    }
  }

  #checkDone(write) {
    if (write.gone === true) {
      if (!this.#used.has(write.token))
        this.#report('Delete', `an acknowledged delete of ${write.uid} is not in the log`, write);
      return;
    }
    if (write.op === 'delete' || write.op === 'nothing') {
      const versions = this.#window(write);
      if (!versions.some((version) => version?.revision === write.revision)) {
        this.#report(
          'ReadO',
          `answered revision ${write.revision}, which was not the current one at any time of the call`,
          write,
        );
      }
      return;
    }
    const event = this.#log.events.get(write.revision);
    const mine = event !== undefined && event.key === write.key && event.resource === write.resource;
    if (!mine || this.#log.parse(event.body).payload.token !== write.token) {
      this.#report(write.op === 'create' ? 'Create' : 'Update', `an acknowledged write is not in the log`, write);
    }
  }

  /** A refusal is a read: at some time during the call, the object's state prevented the write. */
  #checkRefused(write) {
    const versions = this.#window(write);
    const wrong = (version) => {
      if (version === undefined) return write.op === 'update' && write.want.uid !== undefined;
      const stale = write.want.revision !== undefined && write.want.revision !== version.revision;
      return stale || (write.want.uid !== undefined && write.want.uid !== this.#log.parse(version.body).uid);
    };
    const invalid = (version) =>
      version !== undefined && apply(write, this.#log.parse(version.body), write.want.revision) === undefined;
    const excused = {
      404: () => write.op !== 'create' && versions.some((version) => version === undefined),
      409: () => versions.some(write.op === 'create' ? (version) => version !== undefined : wrong),
      422: () => versions.some(invalid),
      429: () => true,
    };
    if (excused[write.status]?.() === true) return;
    const predicate = { create: 'Create', delete: 'Delete' }[write.op] ?? 'Update';
    this.#report(
      predicate,
      `refused with ${write.status} ${write.reason}, which it was no reason for: ${write.message}`,
      write,
    );
  }

  #window({ resource, key, invoked, returned }) {
    const low = this.#timeline.reachedBefore(invoked);
    return [...this.#log.between(resource, key, low, this.#timeline.limitAt(returned))];
  }
}
