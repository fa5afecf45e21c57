import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Project } from '../../domains/domains-state.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { SelectField, TextField } from './fields.ts';
import { toNumberOrText } from './number-text.ts';

type ProjectFormProps = { project: Project; say: (text: string) => void };

/** A form of the project: its plan, its last deploy, and how long things take. */
export function ProjectForm({ project, say }: ProjectFormProps): JSX.Element {
  const [draft, setDraft] = useState<Partial<Record<keyof Project, string>>>({});
  const field = (name: keyof Project) => ({
    value: draft[name] ?? String(project[name]),
    onValue: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const body = {
    ...project,
    plan: field('plan').value,
    deploy: field('deploy').value,
    target: field('target').value,
    authority: field('authority').value,
    propagationHours: toNumberOrText(field('propagationHours').value),
    issuanceMinutes: toNumberOrText(field('issuanceMinutes').value),
  };
  return h(
    CardForm,
    { id: 'project-form', title: 'Project' },
    h('p', { class: 'sub' }, 'Domains need a paid plan and a successful deploy.'),
    h(
      'div',
      { class: 'item-fields' },
      h(SelectField, {
        label: 'Plan',
        options: ['free', 'pro', 'business', 'enterprise'],
        ...field('plan'),
      }),
      h(SelectField, {
        label: 'Last deploy',
        options: [
          ['succeeded', 'Succeeded'],
          ['failed', 'Failed'],
          ['none', 'None yet'],
        ],
        ...field('deploy'),
      }),
      h(TextField, { label: 'Records point at', ...field('target') }),
      h(TextField, { label: 'Authority, as CAA records name it', ...field('authority') }),
      h(TextField, {
        label: 'Hours for records to spread, at most',
        kind: 'number',
        ...field('propagationHours'),
      }),
      h(TextField, {
        label: 'Minutes for a certificate, at most',
        kind: 'number',
        ...field('issuanceMinutes'),
      }),
    ),
    h(ActionButton, {
      label: 'Save the project',
      isSubmit: true,
      operation: { method: 'PUT', path: 'project', body },
      onDone: () => {
        setDraft({});
        say('The project is saved.');
      },
    }),
  );
}
