import { type ComponentChildren, h, type JSX, type RefObject } from 'preact';
import { Shown } from '../../pages/browser/shown.ts';

type Props = {
  /** The id of the title. */
  id: string;
  title: string;
  /** A further class. */
  kind?: string;
  formRef?: RefObject<HTMLFormElement | null>;
  /** Set where the title takes the focus. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
  children?: ComponentChildren;
};

/** A form with a title, whose buttons send it. */
export function CardForm({ id, title, kind, formRef, titleRef, children }: Props): JSX.Element {
  return h(
    'form',
    {
      ref: formRef,
      class: kind === undefined ? 'card stack' : `card stack ${kind}`,
      'aria-labelledby': id,
      onSubmit: (event: Event) => event.preventDefault(),
    },
    h('h3', { id, ref: titleRef, ...(titleRef && { tabIndex: -1 }) }, h(Shown, { text: title })),
    children,
  );
}
