import { h, type JSX } from 'preact';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { countItems, toTime } from './item-counts.ts';
import { openSandbox } from './open-sandbox.ts';
import { Panel, PanelSection, useNotice } from './panel.ts';
import { defaultSandbox, readPlace, toAdminPath } from './place.ts';
import { SandboxForm } from './sandbox-form.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';

/** The sandboxes of the twin: switches the console to one, makes, resets and deletes them. */
export function SandboxesPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ sandboxes: SandboxView[] }>('sandboxes', { every: 2000 });
  const sandboxes = useLast(value)?.sandboxes;
  const { sandbox: current } = readPlace(location);
  const notice = useNotice();
  const { shown, pager } = usePages(sandboxes ?? [], { about: 'sandboxes' });
  const others = (sandboxes ?? []).filter(({ name }) => name !== defaultSandbox).length;
  return h(
    Panel,
    { problem },
    h(
      PanelSection,
      { id: 'sandbox-list', title: 'Sandboxes', notice },
      h(
        'ul',
        { class: 'stack', 'aria-label': 'Sandboxes' },
        ...shown.map((sandbox) =>
          h(Sandbox, {
            key: sandbox.name,
            sandbox,
            isCurrent: sandbox.name === current,
            onDeleted: () => notice.show(`${sandbox.name} is deleted.`),
          }),
        ),
      ),
      pager,
      others > 0 &&
        current === defaultSandbox &&
        h(ActionButton, {
          label: 'Delete all but the default sandbox',
          operation: { method: 'DELETE', path: 'sandboxes' },
          dangerous: `Delete ${others === 1 ? 'the other sandbox' : `all ${others} other sandboxes`} with all that they hold?`,
          onDone: () => notice.show('Only the default sandbox is left.'),
        }),
    ),
    h(SandboxForm, {
      names: (sandboxes ?? []).map(({ name }) => name),
      onDone: (name) => notice.show(`${name} is in its initial state.`),
    }),
  );
}

type SandboxProps = { sandbox: SandboxView; isCurrent: boolean; onDeleted: () => void };

function Sandbox({ sandbox, isCurrent, onDeleted }: SandboxProps): JSX.Element {
  const { name, items, snapshots, lastUsedAt, settings } = sandbox;
  const { seed, items: seeded, rateLimits, ban } = settings;
  const rules = [
    `seed ${seed}`,
    seeded === undefined
      ? 'items of --data at the start'
      : `${seeded.toLocaleString('en')} items at the start`,
    `limits ${{ enforce: 'enforced', observe: 'observed', off: 'off' }[rateLimits]}`,
    ...(ban === false ? ['no bans'] : []),
  ];
  return h(
    'li',
    { class: 'card place' },
    h(
      'div',
      null,
      h('h4', null, h(Shown, { text: name })),
      isCurrent && h('p', { class: 'sub' }, 'Shown here'),
    ),
    h(
      'div',
      null,
      h(
        'p',
        null,
        h(Shown, {
          text: `${countItems(items)}; ${snapshots} ${snapshots === 1 ? 'snapshot' : 'snapshots'}`,
        }),
      ),
      h('p', { class: 'sub' }, `Last used at ${toTime(lastUsedAt)}; ${rules.join(', ')}`),
    ),
    h(
      'div',
      { class: 'row' },
      !isCurrent &&
        h(
          'button',
          { type: 'button', onClick: () => openSandbox(name) },
          'Show',
          h('span', { class: 'heard' }, ` ${name}`),
        ),
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
          onDone: onDeleted,
        }),
    ),
  );
}
