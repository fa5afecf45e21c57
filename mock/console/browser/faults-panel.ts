import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FaultsView, FaultView } from '../../admin/fault-handlers.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { DelaysForm } from './delays-form.ts';
import { describeEffect, describeHits, describeMatch, describeTurns } from './describe-fault.ts';
import { newFault, toFaultDraft } from './fault-draft.ts';
import { FaultForm } from './fault-form.ts';
import { Panel, PanelSection, useNotice } from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';

/** The faults of the sandbox and the delay of all its responses. */
export function FaultsPanel(): JSX.Element {
  const { value: current, problem } = useAdmin<FaultsView>('faults', { every: 1000 });
  const value = useLast(current);
  const [draft, setDraft] = useState(newFault);
  const [edited, setEdited] = useState<string>();
  const notice = useNotice();
  const rules = value?.rules ?? [];
  const { shown, pager } = usePages(rules, { about: 'faults' });
  const leaveForm = () => {
    setEdited(undefined);
    setDraft(newFault);
    notice.focus();
  };
  return h(
    Panel,
    { problem },
    h(
      PanelSection,
      { id: 'fault-list', title: 'Faults', notice },
      value && rules.length === 0 && h('p', { class: 'none' }, 'No faults are set.'),
      rules.length > 0 &&
        h(
          'ol',
          { class: 'stack', 'aria-label': 'Faults, in the order in which they are tried' },
          ...shown.map((rule) =>
            h(Rule, {
              key: rule.id,
              rule,
              onEdit: () => {
                setDraft(toFaultDraft(rule));
                setEdited(rule.id);
              },
              onDeleted: () => {
                if (edited === rule.id) setEdited(undefined);
                notice.show(`${rule.id} is deleted.`);
              },
            }),
          ),
        ),
      pager,
      rules.length > 0 &&
        h(ActionButton, {
          label: 'Delete all faults',
          operation: { method: 'DELETE', path: 'faults' },
          dangerous: `Delete ${rules.length === 1 ? 'the fault' : `all ${rules.length} faults`}?`,
          onDone: () => {
            setEdited(undefined);
            notice.show('All faults are deleted.');
          },
        }),
    ),
    h(FaultForm, {
      draft,
      onDraft: setDraft,
      edited,
      onDone: (id) => {
        notice.setText(edited === undefined ? `${id} is added.` : `${id} is saved.`);
        leaveForm();
      },
      onCancel: leaveForm,
    }),
    h(DelaysForm, null),
  );
}

type RuleProps = { rule: FaultView; onEdit: () => void; onDeleted: () => void };

function Rule({ rule, onEdit, onDeleted }: RuleProps): JSX.Element {
  const { id, calls, hits, times } = rule;
  return h(
    'li',
    { class: 'card fault' },
    h(
      'div',
      null,
      h('h4', null, h(Shown, { text: id })),
      h('p', null, h(Shown, { text: `${describeMatch(rule)}, ${describeTurns(rule)}` })),
    ),
    h('p', { class: 'fault-effect' }, h(Shown, { text: describeEffect(rule) })),
    h(
      'p',
      { class: times !== undefined && hits >= times ? 'quiet' : '' },
      describeHits({ ...rule, calls, hits }),
    ),
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        { type: 'button', onClick: onEdit },
        'Edit',
        h('span', { class: 'heard' }, ` ${id}`),
      ),
      h(ActionButton, {
        label: 'Delete',
        about: id,
        operation: { method: 'DELETE', path: `faults/${encodeURIComponent(id)}` },
        onDone: onDeleted,
      }),
    ),
  );
}
