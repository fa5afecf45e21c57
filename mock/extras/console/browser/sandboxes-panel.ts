import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { ActionButton } from './action-button.ts';
import { isJson } from './item-fields.ts';
import { openSandbox } from './page.ts';
import { cardForm, namedCard, panelSection, problemLine, useNotice, usePages } from './panel.ts';
import { defaultSandbox, readPlace, toAdminPath } from './place.ts';
import { useAdmin } from './use-admin.ts';
import { countItems, countOf, toNumberJson, toTime } from './words.ts';

/** The sandboxes of the twin: switches the console to one, makes, resets and deletes them. */
export function SandboxesPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ sandboxes: SandboxView[] }>('sandboxes', { every: 2000 });
  const sandboxes = value?.sandboxes;
  const { sandbox: current } = readPlace(location);
  const notice = useNotice();
  const { shown, pager } = usePages(sandboxes ?? [], { about: 'sandboxes' });
  const others = (sandboxes ?? []).filter(({ name }) => name !== defaultSandbox).length;
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'sandbox-list', title: 'Sandboxes', notice },
        html`
          <ul class="stack" aria-label="Sandboxes">
            ${shown.map((one) => sandboxCard(one, { current, say: notice.show }))}
          </ul>
          ${pager}
          ${
            others > 0 &&
            current === defaultSandbox &&
            h(ActionButton, {
              label: 'Delete all but the default sandbox',
              operation: { method: 'DELETE', path: 'sandboxes' },
              dangerous: `Delete ${others === 1 ? 'the other sandbox' : `all ${others} other sandboxes`} with all that they hold?`,
              onDone: () => notice.show('Only the default sandbox is left.'),
            })
          }
        `,
      )}
      ${h(SandboxForm, {
        names: (sandboxes ?? []).map(({ name }) => name),
        onDone: (name) => notice.show(`${name} is in its initial state.`),
      })}
    </div>
  `;
}

function sandboxCard(
  { name, items, snapshots, lastUsedAt, settings }: SandboxView,
  { current, say }: { current: string; say: (text: string) => void },
): JSX.Element {
  const isCurrent = name === current;
  const { seed, items: seeded, rateLimits, ban } = settings;
  const rules = [
    `seed ${seed}`,
    seeded === undefined
      ? 'items of --data at the start'
      : `${seeded.toLocaleString('en')} items at the start`,
    `limits ${{ enforce: 'enforced', observe: 'observed', off: 'off' }[rateLimits]}`,
    ...(ban === false ? ['no bans'] : []),
  ];
  const show = html`
    <button type="button" onClick=${() => openSandbox(name)}>
      Show<span class="heard"> ${name}</span>
    </button>
  `;
  return namedCard(
    {
      name,
      note: isCurrent ? 'Shown here' : undefined,
      holds: `${countItems(items)}; ${countOf(snapshots, 'snapshot')}`,
      more: `Last used at ${toTime(lastUsedAt)}; ${rules.join(', ')}`,
    },
    [
      !isCurrent && show,
      h(ActionButton, {
        label: 'Reset',
        about: name,
        operation: { method: 'POST', path: toAdminPath(location, name, 'reset') },
        dangerous: `Restore the initial state of ${name}? Its items, counters, bans, faults and journal are lost; its snapshots stay.`,
      }),
      name !== defaultSandbox &&
        !isCurrent &&
        h(ActionButton, {
          label: 'Delete',
          about: name,
          operation: { method: 'DELETE', path: `sandboxes/${encodeURIComponent(name)}` },
          dangerous: `Delete ${name} with all that it holds?`,
          onDone: () => say(`${name} is deleted.`),
        }),
    ],
  );
}

type FormProps = {
  /** The names of the sandboxes that exist. */
  names: readonly string[];
  onDone: (name: string) => void;
};

type Draft = typeof empty;

const empty = { name: '', seed: '', items: '', limits: '', ban: '', plans: '' };

const limitModes = {
  '': 'As in the mock',
  enforce: 'Enforced',
  observe: 'Observed',
  off: 'Off',
};

/** A form that makes a sandbox, or makes one anew. */
function SandboxForm({ names, onDone }: FormProps): JSX.Element {
  const [draft, setDraft] = useState(empty);
  const onChange = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const field = fieldsOf({ draft, onChange });
  const { name, seed, items, limits, ban, plans } = draft;
  const isWrong = plans.trim() !== '' && !isJson(plans);
  const options = [
    ...(seed === '' ? [] : [`"seed":${toNumberJson(seed)}`]),
    ...(items === '' ? [] : [`"items":${toNumberJson(items)}`]),
    ...(limits === '' ? [] : [`"rateLimits":${JSON.stringify(limits)}`]),
    ...(ban === '' ? [] : ['"ban":false']),
    ...(plans.trim() === '' || isWrong ? [] : [`"plans":${plans.trim()}`]),
  ];
  const problem = isWrong ? 'This is not valid JSON.' : undefined;
  const hint = 'For example {"free":{"perMinute":5,"perDay":10}}';
  const exists = names.includes(name);
  return cardForm(
    { id: 'sandbox-form', title: 'Make a sandbox' },
    html`
      <p class="sub">What is left empty is as in the mock. An existing sandbox is made anew.</p>
      <div class="item-fields">
        ${field.text('name', 'Name')}
        ${field.number('seed', 'Seed')}
        ${field.number('items', 'Items at the start')}
        ${field.select('limits', 'Rate limits', limitModes)}
        ${field.select('ban', 'Bans', { '': 'As in the mock', never: 'Never' })}
        ${field.area('plans', 'Plans as JSON', { hint, rows: 2, problem })}
      </div>
      <div class="row">
        ${h(ActionButton, {
          label: 'Make the sandbox',
          isSubmit: true,
          isDisabled: name === '' || isWrong,
          operation: {
            method: 'PUT',
            path: `sandboxes/${encodeURIComponent(name)}`,
            text: `{${options.join()}}`,
          },
          ...(exists && { dangerous: `Make ${name} anew, without its items and snapshots?` }),
          onDone: () => {
            setDraft(empty);
            onDone(name);
          },
        })}
      </div>
    `,
  );
}
