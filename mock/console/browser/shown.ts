import { h, type JSX } from 'preact';
import { toVisible } from '../../../contracts/look/visible.ts';

/**
 * Text from elsewhere: its direction does not spread, and characters that nobody sees are marked.
 * `lines` keeps line breaks and tabs.
 */
export function Shown({ text, lines = false }: { text: string; lines?: boolean }): JSX.Element {
  const parts = text.split(/([^ -~])/u).filter((part) => part !== '');
  const children: (string | JSX.Element)[] = [];
  let plain = '';
  for (const part of parts) {
    const visible =
      part === '\n' || part === '\t' ? (lines ? part : toVisible(part)) : toVisible(part);
    if (visible === part) {
      plain += part;
      continue;
    }
    if (plain !== '') children.push(plain);
    plain = '';
    children.push(h('span', { class: 'unseen' }, visible));
  }
  if (plain !== '') children.push(plain);
  return h('bdi', null, ...children);
}
