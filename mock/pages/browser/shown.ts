import { h, type JSX } from 'preact';
import { toVisible } from '../../../contracts/look/visible.ts';

/** How many characters are marked at most; each is an element, and a page can hold but so many. */
const maxMarked = 500;

/**
 * Text from elsewhere: its direction does not spread, and characters that nobody sees are marked.
 * `lines` keeps line breaks and tabs.
 */
export function Shown({ text, lines = false }: { text: string; lines?: boolean }): JSX.Element {
  const children: (string | JSX.Element)[] = [];
  let plain = '';
  let marked = 0;
  for (const part of text.split(/([^ -~]+)/u)) {
    for (const character of /^[ -~]*$/.test(part) ? [part] : part) {
      const isBreak = lines && (character === '\n' || character === '\t');
      const visible = isBreak ? character : toVisible(character);
      if (visible === character || marked === maxMarked) {
        plain += visible;
        continue;
      }
      marked += 1;
      if (plain !== '') children.push(plain);
      plain = '';
      children.push(h('span', { class: 'unseen' }, visible));
    }
  }
  if (plain !== '') children.push(plain);
  return h('bdi', null, ...children);
}
