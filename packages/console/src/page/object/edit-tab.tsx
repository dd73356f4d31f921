import { messageOf } from '@binnacle/apimachinery/errors';
import { useEffect, useState } from 'preact/hooks';
import { type Change, changesBetween } from '@binnacle/apimachinery/differences';
import { type KindInfo, objectPath, rebased, withoutManagedFields } from '../../model/index.js';
import type { App, Selected } from '../app.js';
import { RefusedError, type WriteResult } from '../connection.js';
import { useApp } from '../context.js';
import { count } from '../texts.js';
import { FieldChanges } from './field-changes.js';
import { objectIn } from './read-object.js';

type Step =
  | { readonly type: 'writing' }
  | { readonly type: 'waiting' }
  | { readonly type: 'checked'; readonly changes: readonly Change[]; readonly warnings: readonly string[] }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'applied'; readonly warnings: readonly string[] };

interface EditTabProps {
  readonly selected: Selected;
  readonly kind: KindInfo;
}

/** Edits the object as YAML. The server checks it, the person sees what would change, then applies it. */
export function EditTab({ selected, kind }: EditTabProps) {
  const app = useApp();
  if (app.past.moment.value === undefined) {
    return <Editor path={objectPath(kind, selected.namespace, selected.name)} />;
  }
  return (
    <p>
      The past cannot be edited.{' '}
      <button type="button" class="button" onClick={() => app.goTo(undefined)}>
        Back to now <kbd>l</kbd>
      </button>
    </p>
  );
}

/** What a person writes, and the server's text that it began with. */
interface Draft {
  readonly base: string;
  readonly text: string;
}

function Editor({ path }: { readonly path: string }) {
  const app = useApp();
  const [draft, setDraft] = useState<Draft | undefined>(undefined);
  const [step, setStep] = useState<Step>({ type: 'writing' });
  const run = (act: () => Promise<Step>) => {
    setStep({ type: 'waiting' });
    act().then(setStep, (error: unknown) => setStep({ type: 'refused', message: messageOf(error) }));
  };
  const read = () =>
    run(async () => {
      const yaml = await readYaml(app, path);
      setDraft({ base: yaml, text: yaml });
      return { type: 'writing' };
    });
  useEffect(read, [path]);
  if (draft === undefined) return <p class="dim">{step.type === 'refused' ? step.message : 'Reading the object …'}</p>;
  return (
    <div class="edit">
      <textarea
        aria-label="The object as YAML"
        spellcheck={false}
        value={draft.text}
        onInput={(event) => {
          setDraft({ ...draft, text: event.currentTarget.value });
          setStep({ type: 'writing' });
        }}
      />
      <Buttons
        step={step}
        onCheck={() => run(async () => check(app, path, draft))}
        onApply={() => run(async () => apply(app, path, draft))}
        onRead={read}
      />
      <Outcome step={step} />
    </div>
  );
}

interface ButtonsProps {
  readonly step: Step;
  readonly onCheck: () => void;
  readonly onApply: () => void;
  readonly onRead: () => void;
}

/** Only what the server has checked, and what changes something, can be applied. */
function Buttons({ step, onCheck, onApply, onRead }: ButtonsProps) {
  const canApply = step.type === 'checked' && step.changes.length > 0;
  return (
    <div class="edit-buttons">
      <button type="button" class="button" disabled={step.type === 'waiting'} onClick={onCheck}>
        Check
      </button>
      <button type="button" class="button strong" disabled={!canApply} onClick={onApply}>
        Apply
      </button>
      <button type="button" class="plain" onClick={onRead}>
        Read again
      </button>
    </div>
  );
}

async function readYaml(app: App, path: string): Promise<string> {
  return withoutManagedFields(await app.connection.read(path, 'application/yaml'));
}

async function check(app: App, path: string, draft: Draft): Promise<Step> {
  const [now, { text, warnings }] = await Promise.all([app.connection.read(path), write(app, path, draft, true)]);
  const changes = changesBetween(objectIn(now), objectIn(text)).filter((change) => !isServers(change));
  return { type: 'checked', changes, warnings };
}

/** Fields that follow from others, and the status, which is not written here. */
function isServers({ text }: Change): boolean {
  return text === '.metadata.generation' || text.startsWith('.status');
}

async function apply(app: App, path: string, draft: Draft): Promise<Step> {
  const { warnings } = await write(app, path, draft, false);
  return { type: 'applied', warnings };
}

/** A controller may write the status at any time. Only other changes since the person began are a conflict. */
async function write(app: App, path: string, { base, text }: Draft, dryRun: boolean): Promise<WriteResult> {
  try {
    return await app.connection.write(path, text, dryRun);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 409) throw error;
    const again = rebased(text, base, await readYaml(app, path));
    if (again === undefined) throw error;
    return app.connection.write(path, again, dryRun);
  }
}

function Outcome({ step }: { readonly step: Step }) {
  switch (step.type) {
    case 'writing':
      return <p class="dim">Check sends the object as a dry run: the server validates it and changes nothing.</p>;
    case 'waiting':
      return <p class="dim">Asking the server …</p>;
    case 'refused':
      return (
        <p class="refusal" role="alert">
          {step.message}
        </p>
      );
    case 'checked':
      return (
        <div role="status">
          <h2>
            {step.changes.length === 0 ? 'Nothing would change' : `${count(step.changes.length, 'field')} would change`}
          </h2>
          <Warnings warnings={step.warnings} />
          {step.changes.length > 0 && <FieldChanges changes={step.changes} />}
        </div>
      );
    case 'applied':
      return (
        <div role="status">
          <p class="state good">Applied.</p>
          <Warnings warnings={step.warnings} />
        </div>
      );
  }
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="state busy">
          Warning: {warning}
        </p>
      ))}
    </>
  );
}
