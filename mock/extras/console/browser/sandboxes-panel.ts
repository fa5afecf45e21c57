import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { countItems, countOf, number, toUtcText } from '../../pages/browser/words.ts';
import { ActionButton } from './action-button.ts';
import { openSandbox } from './page.ts';
import { cardForm, namedCard, panelSection, problemLine, usePages } from './panel.ts';
import { defaultSandbox, readPlace, toAdminPath } from './place.ts';
import { useAdmin } from './use-admin.ts';

/** The sandboxes of the twin: switches the console to one, makes, resets and deletes them. */
export function SandboxesPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ sandboxes: SandboxView[] }>('sandboxes', { every: 2000 });
  const sandboxes = value?.sandboxes ?? [];
  const { sandbox: current } = readPlace(location);
  const [said, say] = useState('');
  const { shown, pager } = usePages(sandboxes, { about: 'sandboxes' });
  const others = sandboxes.filter(({ name }) => name !== defaultSandbox).length;
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'sandbox-list', title: 'Sandboxes', said },
        html`
          <ul class="stack" aria-label="Sandboxes">
            ${shown.map((one) => sandboxCard(one, { current, say }))}
          </ul>
          ${pager}
          ${
            others > 0 &&
            current === defaultSandbox &&
            h(ActionButton, {
              label: 'Delete all but the default sandbox',
              operation: { method: 'DELETE', path: 'sandboxes' },
              dangerous: `Delete the other sandboxes (${others}) with all that they hold?`,
              onDone: () => say('Only the default sandbox is left.'),
            })
          }
        `,
      )}
      ${h(SandboxForm, { names: sandboxes.map(({ name }) => name), say })}
    </div>
  `;
}

type Say = { say: (text: string) => void };

function sandboxCard(
  { name, items, snapshots, lastUsedAt, settings }: SandboxView,
  { current, say }: { current: string } & Say,
): JSX.Element {
  const isCurrent = name === current;
  const { seed, items: seeded, rateLimits, ban } = settings;
  const rules = [
    `seed ${seed}`,
    `${seeded === undefined ? 'items of --data' : `${number(seeded)} items`} at the start`,
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
      more: `Last used at ${toUtcText(lastUsedAt)}; ${rules.join(', ')}`,
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

/** The names are those of the sandboxes that exist. */
type FormProps = { names: readonly string[] } & Say;

/** A form that makes a sandbox, or makes one anew. */
function SandboxForm({ names, say }: FormProps): JSX.Element {
  const [draft, setDraft] = useState({ name: '', options: '' });
  const field = fieldsOf({ draft, onChange: (changed) => setDraft({ ...draft, ...changed }) });
  const { name, options } = draft;
  const hint =
    'For example {"items": 3, "seed": 7, "rateLimits": "off", "ban": false}; what is left out is as in the mock.';
  return cardForm(
    { id: 'sandbox-form', title: 'Make a sandbox' },
    html`
      ${field.text('name', 'Name')}
      ${field.area('options', 'Options, as JSON', { hint, rows: 2 })}
      ${h(ActionButton, {
        label: 'Make the sandbox',
        isSubmit: true,
        isDisabled: name === '',
        operation: {
          method: 'PUT',
          path: `sandboxes/${encodeURIComponent(name)}`,
          text: options.trim() === '' ? '{}' : options,
        },
        ...(names.includes(name) && {
          dangerous: `Make ${name} anew, without its items and snapshots?`,
        }),
        onDone: () => {
          setDraft({ name: '', options: '' });
          say(`${name} is in its initial state.`);
        },
      })}
    `,
  );
}
