import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { answers, type FaultDraft } from './fault-draft.ts';

/** Statuses that are often asked for. */
const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

type Props = { draft: FaultDraft; onDraft: (draft: FaultDraft) => void };

/** The fields that say what a fault answers with, and how often. */
export function faultFields({ draft, onDraft }: Props): JSX.Element {
  const field = fieldsOf({
    draft,
    onChange: (changed) => onDraft({ ...draft, ...(changed as Partial<FaultDraft>) }),
  });
  return html`
    ${field.select('answer', 'Answer with', answers)}
    ${draft.answer === 'status' && field.number('status', 'Status', { suggestions: statuses })}
    ${field.number('milliseconds', 'Delay in ms', { placeholder: 'none' })}
    ${field.number('times', 'At most, times', { placeholder: 'no end' })}
  `;
}
