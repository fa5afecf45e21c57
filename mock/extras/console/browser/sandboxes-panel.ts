import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { countItems, countOf, number, toUtcText } from '../../../../common/look/amounts.ts';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import { button, cardForm, draftOf, namedCard, panelList, panelSection } from './panel.ts';
import { defaultSandbox, openSandbox, readPlace, toAdminPath } from './place.ts';
import type { PanelState } from './state.ts';

/** The sandboxes of the twin: switches the console to one, makes, resets and deletes them. */
export function sandboxesPanel(state: PanelState): JSX.Element {
  const items = state.read<{ sandboxes: SandboxView[] }>('sandboxes')?.sandboxes;
  const names = (items ?? []).map(({ name }) => name);
  const { sandbox: current } = readPlace(location);
  const others = names.filter((name) => name !== defaultSandbox).length;
  const toCard = (one: SandboxView) => sandboxCard(one, current);
  return html`
    ${panelSection(
      state,
      { id: 'sandbox-list', title: 'Sandboxes' },
      html`
        ${panelList(state, { about: 'sandboxes', none: 'There is no sandbox.', items, toCard })}
        ${
          others > 0 &&
          current === defaultSandbox &&
          button({
            label: 'Delete all but the default sandbox',
            operation: { method: 'DELETE', path: 'sandboxes' },
            dangerous: `Delete the other sandboxes (${others}) and their contents?`,
            done: 'Only the default sandbox is left.',
          })
        }
      `,
    )}
    ${sandboxForm(state, names)}
  `;
}

function sandboxCard(view: SandboxView, current: string): JSX.Element {
  const { name, items, snapshots, lastUsedAt, settings } = view;
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
      button({
        label: 'Reset',
        about: name,
        operation: { method: 'POST', path: toAdminPath(location, name, 'reset') },
        dangerous: `Restore the initial state of ${name}? Its items, counters, bans, faults and journal are lost; its snapshots stay.`,
      }),
      name !== defaultSandbox &&
        !isCurrent &&
        button({
          label: 'Delete',
          about: name,
          operation: { method: 'DELETE', path: `sandboxes/${encodeURIComponent(name)}` },
          dangerous: `Delete ${name} and its contents?`,
          done: `${name} is deleted.`,
        }),
    ],
  );
}

/** A form that makes a sandbox, or makes one of these names anew. */
function sandboxForm(state: PanelState, names: readonly string[]): JSX.Element {
  const { draft, field, clear } = draftOf(state, 'sandbox', { name: '', options: '' });
  const { name, options } = draft;
  const hint =
    'For example {"items": 3, "seed": 7, "rateLimits": "off", "ban": false}; other settings are those of the mock.';
  return cardForm(
    { id: 'sandbox-form', title: 'Create a sandbox' },
    html`
      ${field.text('name', 'Name')}
      ${field.area('options', 'Options, as JSON', { hint, rows: 2 })}
      ${button({
        label: 'Create the sandbox',
        isSubmit: true,
        isDisabled: name === '',
        operation: {
          method: 'PUT',
          path: `sandboxes/${encodeURIComponent(name)}`,
          text: options.trim() === '' ? '{}' : options,
        },
        ...(names.includes(name) && {
          dangerous: `Replace ${name}, without its items and snapshots?`,
        }),
        done: `${name} is in its initial state.`,
        onDone: clear,
      })}
    `,
  );
}
